/** Addresses: a guest's name and an unverified one never leave, and the rules judge the one that leaves. */
import fc from 'fast-check';
import { type Claims, openIdLogin } from './inputs/logins.ts';
import { demand, invariant } from './invariant.ts';
import { mappings } from './situation.ts';

const LOCALS = ['ada', 'eve', 'Ada.Lovelace', 'zofia+x', "o'brien"];
const DOMAINS = [
  ...['example.org', 'EXAMPLE.org', 'cs.example.org', 'münchen.example', 'xn--mnchen-3ya.example'],
  ...['example.com', 'evil-example.org', 'example.org.evil', 'xexample.org', 'example.org.', '.example.org'],
  ...['ex\u0430mple.org', '\uff45xample.org', 'example\u3002org', 'example\uff0eorg'],
  'example.org@evil.example',
];

const address = fc
  .tuple(fc.constantFrom(...LOCALS), fc.constantFrom(...DOMAINS))
  .map((parts) => parts.join('@'));
const guest = fc
  .tuple(fc.constantFrom('mira_gmail.com', 'eve'), fc.constantFrom('#EXT#', '#ext#', '#Ext#'))
  .map(([local, mark]) => `${local}${mark}@contoso.onmicrosoft.com`);

const SOURCES = ['email', 'mail', 'upn'];
/** One address, or several, in each claim that may have one. */
const one = fc.oneof({ weight: 2, arbitrary: address }, { weight: 1, arbitrary: guest });
const value = fc.oneof(one, fc.array(one, { minLength: 1, maxLength: 3 }));
const claims = fc.record({
  email: fc.option(value, { nil: undefined }),
  mail: fc.option(value, { nil: undefined }),
  upn: fc.option(value, { nil: undefined }),
});

const LISTED_DOMAINS = ['example.org', 'xn--mnchen-3ya.example', 'contoso.onmicrosoft.com'];
const LISTED = ['ada@example.org', 'eve@cs.example.org'];
/** Rules, and whom they let in. */
const RULES: readonly [rules: object[] | undefined, lets: (address: string) => boolean][] = [
  [undefined, () => true],
  [[{ email_domains: LISTED_DOMAINS }], (email) => LISTED_DOMAINS.includes(asciiDomain(email))],
  [[{ emails: LISTED }], isListed],
  [[{ claim: 'email', is: LISTED }], isListed],
];

/** Where an address is said to be unverified: beside it, or in an object that holds it. */
const DOUBTS: readonly ((address: string, no: unknown) => Claims)[] = [
  (email, no) => ({ email, email_verified: no }),
  (email, no) => ({ email: [email], email_verified: no }),
  (email, no) => ({ email, emailVerified: no }),
  (email, no) => ({ email, verified_email: no }),
  (email, no) => ({ email, xms_edov: no }),
  (email, no) => ({ email, email_verified: true, emailVerified: no }),
  (email, no) => ({ email, user_metadata: { email, email_verified: no } }),
  (email, no) => ({ email: undefined, mail: email, user_metadata: { email, email_verified: no } }),
  (email, no) => ({ email, mail: [email], email_verified: no }),
  (email, no) => ({ email: email.toUpperCase(), mail: email, email_verified: no }),
];

const { openId, both } = await mappings();

invariant(
  'addresses: who gets in leaves with one that arrived, that is no name of a guest, and that the rules are about',
  fc.tuple(claims, fc.constantFrom(...RULES), fc.constantFrom('refuse', 'accept')),
  async ([claims, [rules, lets], unverified]) => {
    const all = Object.values(claims).flat();
    for (const { isIn, answer } of await both({ email: { from: SOURCES, unverified }, rules }, claims)) {
      if (!isIn) continue;
      const email = String(answer.email);
      demand(all.includes(email), `an address leaves that did not arrive: ${email}`);
      demand(!/#ext#/i.test(email), `a guest leaves as ${email}`);
      demand(lets(email), `somebody gets in as ${email} by ${JSON.stringify(rules)}`);
    }
  },
);
invariant(
  'addresses: one that is said to be unverified never leaves where these are refused',
  fc.tuple(
    fc.constantFrom(...LOCALS).map((local) => `${local}@example.org`),
    fc.constantFrom(...DOUBTS),
    fc.constantFrom<unknown>(false, 'false', 'FALSE', 0),
  ),
  async ([email, doubtOf, no]) => {
    const from = [...SOURCES, 'user_metadata.email'];
    const mapping = { email: { from, unverified: 'refuse' } };
    const { answer } = await openId(openIdLogin(mapping, doubtOf(email, no)));
    const left = String(answer.email).toLowerCase();
    demand(left !== email.toLowerCase(), `an unverified address leaves: ${email}`);
  },
);

function isListed(address: string): boolean {
  return LISTED.includes(`${address.split('@')[0]}@${asciiDomain(address)}`);
}

/** A domain that only looks like another one stays as it is. */
function asciiDomain(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  if (domain.normalize('NFKC') !== domain || /[\u3002\uff0e\uff61]/.test(domain)) return domain;
  return URL.parse(`https://${domain}`)?.hostname ?? domain;
}
