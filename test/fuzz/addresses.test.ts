/** Addresses: a guest's name and an unverified one never leave, and the rules judge the one that leaves. */
import fc from 'fast-check';
import { type Claims, openIdLogin } from './inputs/logins.ts';
import { demand, invariant } from './invariant.ts';
import { mappings } from './situation.ts';

const LOCALS = ['ada', 'eve', 'Ada.Lovelace', 'zofia+x', "o'brien"];
const DOMAINS = [
  ...['example.org', 'EXAMPLE.org', 'cs.example.org', 'münchen.example', 'xn--mnchen-3ya.example'],
  ...['example.com', 'evil-example.org', 'example.org.evil', 'xexample.org', 'example.org.', '.example.org'],
  ...[
    'ex\u0430mple.org',
    '\uff45xample.org',
    'example\u3002org',
    'example\uff0eorg',
    'example.org@evil.example',
  ],
];
/** Of what the rule below lists. */
const LISTED = ['example.org', 'xn--mnchen-3ya.example'];

const address = fc
  .tuple(fc.constantFrom(...LOCALS), fc.constantFrom(...DOMAINS))
  .map((parts) => parts.join('@'));
const guest = fc
  .tuple(fc.constantFrom('mira_gmail.com', 'eve'), fc.constantFrom('#EXT#', '#ext#', '#Ext#'))
  .map(([local, mark]) => `${local}${mark}@contoso.onmicrosoft.com`);

/** One address, or several, in each form that a provider has for them. */
function inClaims<T>(one: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T | T[] | undefined>> {
  const value = fc.oneof(one, fc.array(one, { minLength: 1, maxLength: 3 }));
  return fc.record({
    email: value,
    mail: fc.option(value, { nil: undefined }),
    upn: fc.option(value, { nil: undefined }),
  });
}

const SOURCES = ['email', 'mail', 'upn'];
const unverified = fc.constantFrom('refuse', 'accept');

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
  'addresses: the name of a guest never leaves as one',
  fc.tuple(inClaims(fc.oneof(guest, address)), unverified),
  async ([claims, unverified]) => {
    const mapping = { email: { from: SOURCES, unverified } };
    for (const { answer } of await both(mapping, claims)) {
      demand(!/#ext#/i.test(String(answer.email)), `a guest leaves as ${answer.email}`);
    }
  },
);
invariant(
  'addresses: no rule on domains passes by the name of a guest',
  fc.tuple(guest, fc.constantFrom('email', 'mail')),
  async ([email, name]) => {
    const rules = [{ email_domains: ['contoso.onmicrosoft.com'] }];
    const mapping = { email: { from: SOURCES, unverified: 'accept' }, rules };
    const { answer } = await openId(openIdLogin(mapping, { email: undefined, [name]: email }));
    demand(answer.type !== 'AuthorizedUserResponse', `a guest gets in by ${email}`);
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
    demand(
      String(answer.email).toLowerCase() !== email.toLowerCase(),
      `an unverified address leaves: ${email}`,
    );
  },
);
invariant(
  'addresses: who gets in by a domain leaves with an address of it',
  inClaims(address),
  async (claims) => {
    const mapping = { email: SOURCES, rules: [{ email_domains: LISTED }] };
    await requireLeaving(mapping, claims, (email) => LISTED.includes(asciiDomain(email)));
  },
);
invariant(
  'addresses: who gets in by an address leaves with it',
  fc.tuple(inClaims(address), fc.constantFrom('emails', 'claim')),
  async ([claims, kind]) => {
    const listed = ['ada@example.org', 'eve@cs.example.org'];
    const rule = kind === 'emails' ? { emails: listed } : { claim: 'email', is: listed };
    await requireLeaving({ email: SOURCES, rules: [rule] }, claims, (email) =>
      listed.includes(`${email.split('@')[0]}@${asciiDomain(email)}`),
    );
  },
);

async function requireLeaving(mapping: Claims, claims: Claims, isMeant: (address: string) => boolean) {
  const all = Object.values(claims).flat();
  const isOpenIdOnly = JSON.stringify(mapping).includes('"claim"');
  const logins = isOpenIdOnly ? [await openId(openIdLogin(mapping, claims))] : await both(mapping, claims);
  for (const { answer } of logins) {
    if (answer.type !== 'AuthorizedUserResponse') continue;
    demand(all.includes(answer.email), `an address leaves that did not arrive: ${answer.email}`);
    demand(isMeant(String(answer.email)), `somebody gets in as ${answer.email}`);
  }
}

/** A domain that only looks like another one stays as it is. */
function asciiDomain(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  if (domain.normalize('NFKC') !== domain || /[\u3002\uff0e\uff61]/.test(domain)) return domain;
  return URL.parse(`https://${domain}`)?.hostname ?? domain;
}
