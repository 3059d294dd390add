/** The same login with another address, or without a proof of it. */
import { isChanged } from './login.ts';
import { EVIL, foreignDomains, type Target, type Variant, variantsOf } from './policy.ts';

export function withForeignAddress({ login, policy, address: own }: Target): Variant[] {
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
}
