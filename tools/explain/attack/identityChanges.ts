/** The same person by another issuer, with another address, or without a proof of it. */
import { isChanged } from './login.ts';
import { type Change, EVIL, foreignDomains, variantsOf } from './policy.ts';

export const IDENTITY_CHANGES = {
  another_issuer: {
    cure: "List the issuers: `issuers: { ... }`. Code compares the whole issuer. If any is meant, a mapping says `issuers: 'any'`, and `custom.loginHooks` says it for code: `{ handler: ..., issuers: any }`.",
    isError: ({ isOfAnyIssuer }) => !isOfAnyIssuer,
    canBeMeant: false,
    variants: ({ login, policy }) =>
      Object.entries(othersOf(login.issuer))
        .filter(([, issuer]) => !policy.issuers.includes(issuer))
        .map(([what, issuer]) => ({ what, login: login.withIssuer(issuer) })),
  },
  listed_issuer: {
    cure: 'Give the other issuer its own `rules: [{ email_domains: [...] }]`.',
    isError: ({ isBound }) => isBound,
    canBeMeant: false,
    variants: ({ login, policy }) =>
      policy.freeIssuers
        .filter((issuer) => issuer !== login.issuer)
        .map((issuer) => ({ what: issuer, login: login.withIssuer(issuer) })),
  },
  unproven_address: {
    cure: 'Demand proof: `email: { unverified: "demand_proof" }`. Code compares the claim with `true`.',
    isError: (policy) =>
      policy.isCode || policy.demandsProof || (policy.kind === 'OpenID' && policy.judgesAddress),
    /** None where the address is from elsewhere: what the event says of addresses is then about others. */
    variants: ({ login, address }) => {
      if (address === '' || !isChanged(login.replacing(address, [EVIL]), login)) return [];
      if (login.kind === 'SAML') {
        return variantsOf({
          false: login.with(SAML_VERIFIED, 'false'),
          absent: login.without(SAML_VERIFIED),
        });
      }
      return variantsOf({
        absent: login.without(['xms_edov', 'email_verified', 'emailVerified']),
        false: login.with(['email_verified'], false),
        '"false"': login.with(['email_verified'], 'false'),
        nested: login.with(['email_verified'], { value: true }),
      });
    },
  },
  foreign_address: {
    cure: 'List the domains: `rules: [{ email_domains: [...] }]`. Code judges the address that it returns. Groups are as before: if they decide, say so in `mayBe`.',
    isError: (policy) => policy.isCode || policy.judgesAddress,
    variants: ({ login, policy, address: own }) => {
      const [, local = '', domain = ''] = /^(.*)@(.*)$/s.exec(own) ?? [];
      if (domain === '') return [];
      const domains = { ...foreignDomains(domain), 'look-alike': lookAlike(domain) };
      const instead = Object.entries(domains).map(([what, other]) => {
        const address = `${local}@${other}`;
        return { what, address, texts: [address] };
      });
      const evil = `${local}@${EVIL}`;
      const beside = [
        { what: 'before the own', address: evil, texts: [evil, own] },
        { what: 'after the own', address: evil, texts: [own, evil] },
      ];
      // By the name that Entra gives a guest, in a listed domain. Of plain code, the check of each response refuses it.
      const guest = `ada_${EVIL}#EXT#@${domain}`;
      const asGuest = policy.hasMapping ? [{ what: 'name of a guest', address: guest, texts: [guest] }] : [];
      const foreign = [...instead, ...beside].filter(({ address }) => !policy.listsAddress(address));
      return [...foreign, ...asGuest].map(({ what, address, texts }) => ({
        what,
        address,
        login: login.replacing(own, texts),
      }));
    },
  },
} as const satisfies Record<string, Change>;

const SAML_VERIFIED = ['email_verified', 'emailVerified', 'http://schemas.auth0.com/email_verified'];
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

function othersOf(issuer: string): Record<string, string> {
  const [scheme = '', host = ''] = issuer.match(/^[^:]+:(?:\/\/)?|[^/]+/g) ?? [];
  const at = (other: string) => issuer.replace(host, other);
  return {
    'trailing slash': issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`,
    case: issuer === issuer.toUpperCase() ? issuer.toLowerCase() : issuer.toUpperCase(),
    'longer name': `${issuer}.${EVIL}`,
    'another realm or tenant': sibling(issuer),
    foreign: at(`sso.${EVIL}`),
    'look-alike host': at(`${host}.${EVIL}`),
    'before the host': at(`evil-${host}`),
    'before the domain': at(host.replace(/^.*?(?=[^.]+\.[^.]+$)/, 'evil')),
    'a dot replaced': at(host.replace('.', 'x')),
    'user information': `${scheme}${host}@${issuer.slice(scheme.length).replace(host, EVIL)}`,
    ...(scheme.endsWith('//') && {
      'another port': at(`${host.replace(/:\d+$/, '')}:8443`),
      'another scheme': issuer.replace(scheme, scheme === 'http://' ? 'https://' : 'http://'),
    }),
  };
}

/** Another tenant has another UUID, another realm another last segment. */
function sibling(issuer: string): string {
  const tenant = issuer.replace(UUID, '00000000-0000-4000-8000-000000000666');
  if (tenant !== issuer) return tenant;
  const path = issuer.replace(/^[^:]+:\/\/[^/]*/, '');
  const start = issuer.slice(0, issuer.length - path.length);
  return path.length > 1
    ? start + path.replace(/[^/]+(\/?)$/, 'evil$1')
    : `${issuer.replace(/\/$/, '')}/evil`;
}

/** Cyrillic letters that look like Latin ones; a domain without such letters has a digit more. */
function lookAlike(domain: string): string {
  const letters: Readonly<Record<string, string>> = { a: 'а', c: 'с', e: 'е', o: 'о', p: 'р', x: 'х' };
  const alike = domain.replace(/[aceopx]/, (letter) => letters[letter] ?? letter);
  return alike === domain ? domain.replace('.', '1.') : alike;
}
