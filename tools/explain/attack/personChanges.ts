/** The same login without what rules look at, or as another kind of account. */
import { domainMatcher } from '../../../lib/profile/domains.ts';
import type { Target, Variant } from './change.ts';
import { affiliationNames, hasRule, rulesOf } from './policy.ts';

const EVIL = 'evil.example';

export function withForeignScope({ login, policy }: Target): Variant[] {
  return rulesOf(policy, 'scopes').flatMap((rule) => {
    const names = affiliationNames(rule, login.kind);
    return login
      .textsOf(names)
      .slice(0, 1)
      .flatMap((text) => {
        const [affiliation = '', scope = ''] = text.split('@');
        const scopes = {
          foreign: EVIL,
          suffix: `${scope}.${EVIL}`,
          prefix: `evil-${scope}`,
          subdomain: `evil.${scope}`,
        };
        return Object.entries(scopes)
          .filter(([, other]) => !domainMatcher(rule.scopes)(other))
          .map(([what, other]) => ({ what, login: login.withTexts(names, [`${affiliation}@${other}`]) }));
      });
  });
}

export function withOtherAffiliation({ login, policy }: Target): Variant[] {
  return rulesOf(policy, 'scopes').flatMap((rule) => {
    const names = affiliationNames(rule, login.kind);
    const scope = login.textsOf(names)[0]?.split('@')[1];
    if (scope === undefined) return [];
    return ['library-walk-in', 'alum', 'affiliate']
      .filter((affiliation) => !rule.affiliations?.includes(affiliation))
      .map((what) => ({ what, login: login.withTexts(names, [`${what}@${scope}`]) }));
  });
}

/** What a rule needs to allow somebody. */
export function withoutAttribute({ login, policy }: Target): Variant[] {
  const groups = hasRule(policy, 'any_group') ? [policy.groups.flatMap(({ names }) => names)] : [];
  const affiliations = rulesOf(policy, 'scopes').map((rule) => affiliationNames(rule, login.kind));
  return [...groups, ...affiliations].flatMap((names) => {
    const name = names.find((one) => login.textsOf([one]).length > 0);
    if (name === undefined) return [];
    return [
      { what: `${name} absent`, login: login.without(names) },
      { what: `${name} empty`, login: login.without(names).withTexts([name], ['']) },
    ];
  });
}

export function byFriendlyNameAlone({ login }: Target): Variant[] {
  return login.kind === 'SAML' ? [{ what: 'all attributes', login: login.byFriendlyName() }] : [];
}

export function asAnotherAccount({ login }: Target): Variant[] {
  if (login.kind === 'SAML') {
    return [
      { what: 'guest', login: login.withNameId('ada_evil.example#EXT#@example.onmicrosoft.com') },
      { what: 'brokered', login: login.withAttribute('identity_provider', 'social') },
      { what: 'service account', login: login.withNameId('service-account-batch') },
    ];
  }
  const service = login.withClaim('preferred_username', 'service-account-batch');
  return [
    { what: 'guest', login: login.withClaim('acct', 1).withClaim('idp', `https://sts.${EVIL}/`) },
    { what: 'brokered', login: login.withClaim('identity_provider', 'social') },
    { what: 'service account', login: service.withClaim('client_id', 'batch') },
  ];
}

const LONG_AGO = Date.UTC(2000, 0);

export function byWeakSignIn({ login }: Target): Variant[] {
  const old = { what: 'long ago', login: login.authenticatedAt(LONG_AGO) };
  if (login.kind === 'SAML') return [old];
  return [
    old,
    { what: 'lower acr', login: login.withClaim('acr', '0') },
    { what: 'password alone', login: login.withClaim('amr', ['pwd']) },
  ];
}
