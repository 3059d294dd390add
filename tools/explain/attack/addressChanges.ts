/** The same login with another address, or without a proof of it. */
import { isChanged } from './login.ts';
import { EVIL, type Target, type Variant } from './policy.ts';

export function withForeignAddress({ login, policy, address }: Target): Variant[] {
  const [, local = '', domain = ''] = /^(.*)@(.*)$/s.exec(address) ?? [];
  if (domain === '') return [];
  const foreign = (other: string) => `${local}@${other}`;
  const evil = foreign(EVIL);
  const instead = Object.entries({
    'another domain': EVIL,
    subdomain: `evil.${domain}`,
    suffix: `${domain}.${EVIL}`,
    prefix: `evil-${domain}`,
    'look-alike': lookAlike(domain),
  }).map(([what, other]) => ({ what, other, texts: [foreign(other)] }));
  const beside = [
    { what: 'before the own', other: EVIL, texts: [evil, address] },
    { what: 'after the own', other: EVIL, texts: [address, evil] },
  ];
  const changed = [...instead, ...beside]
    .filter(({ other }) => !policy.listsAddress(foreign(other)))
    .map(({ what, other, texts }) => ({
      what,
      login: login.replacing(address, texts),
      address: foreign(other),
    }));
  // Of plain code, the check of each response refuses it.
  return policy.hasMapping ? [...changed, asGuest(login, address, domain)] : changed;
}

/** By the name that Entra gives a guest, in a listed domain. */
function asGuest(login: Target['login'], address: string, domain: string): Variant {
  const guest = `ada_${EVIL}#EXT#@${domain}`;
  return { what: 'name of a guest', login: login.replacing(address, [guest]), address: guest };
}

/** Cyrillic letters that look like Latin ones; a domain without such letters has a digit more. */
function lookAlike(domain: string): string {
  const letters: Readonly<Record<string, string>> = { a: 'а', c: 'с', e: 'е', o: 'о', p: 'р', x: 'х' };
  const alike = domain.replace(/[aceopx]/, (letter) => letters[letter] ?? letter);
  return alike === domain ? domain.replace('.', '1.') : alike;
}

const SAML_VERIFIED = ['email_verified', 'emailVerified', 'http://schemas.auth0.com/email_verified'];

/** None where the address is from elsewhere: what the event says of addresses is then about others. */
export function withUnprovenAddress({ login, address }: Target): Variant[] {
  if (address === '' || !isChanged(login.replacing(address, [EVIL]), login)) return [];
  if (login.kind === 'SAML') {
    return [
      { what: 'false', login: login.with(SAML_VERIFIED, 'false') },
      { what: 'absent', login: login.without(SAML_VERIFIED) },
    ];
  }
  const unproven = login.without(['xms_edov', 'email_verified', 'emailVerified']);
  const said = { false: false, '"false"': 'false', nested: { value: true } };
  return [
    { what: 'absent', login: unproven },
    ...Object.entries(said).map(([what, value]) => ({
      what,
      login: login.with(['email_verified'], value),
    })),
  ];
}
