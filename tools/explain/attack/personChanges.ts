/** The same login without what rules look at, or as another kind of account. */
import { OWN_CLAIMS } from '../../../lib/openid/claims.ts';
import type { valuesIn } from '../../../lib/profile/rules/claimRule.ts';
import { domainMatcher } from '../../../lib/profile/schema/domains.ts';
import { EVIL, type Login, type Target, type Variant } from './change.ts';
import { isChanged } from './login.ts';
import {
  affiliationNames,
  assuranceNames,
  claimNames,
  isAboutClaim,
  neededNames,
  rulesOf,
} from './policy.ts';

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
  return neededNames(policy).flatMap((names) => {
    const absent = login.without(names);
    const name = names.find((one) => isChanged(login.without([one]), login));
    if (name === undefined) return [];
    return [
      { what: `${name} absent`, login: absent },
      { what: `${name} empty`, login: absent.withTexts([name], ['']) },
    ];
  });
}

/** A value that no rule names, those that one names as another type of JSON, and those that one denies. */
export function withOtherValue({ login, policy }: Target): Variant[] {
  return policy.rules.filter(isAboutClaim).flatMap((rule) => {
    const names = claimNames(rule, policy.kind);
    const [name = ''] = names;
    if ('is_not' in rule) {
      const denied = rule.is_not.map(exampleOf);
      return denied.map((value) => ({
        what: `${name} denied`,
        login: login.kind === 'SAML' ? login.withTexts(names, [String(value)]) : login.withClaim(name, value),
      }));
    }
    if (!('is' in rule)) return [];
    const other = { what: name, login: login.withTexts(names, ['evil']) };
    // A claim that the event has a field for is a text, or the event is not valid.
    if (login.kind === 'SAML' || OWN_CLAIMS.some((claim) => claim === name)) return [other];
    const what = `${name} of another type`;
    const scalars = rule.is.filter((value) => typeof value !== 'object');
    const types = scalars.map((value) => (typeof value === 'string' ? { value } : String(value)));
    const others = types.filter((value) => typeof value !== 'string' || !rule.is.includes(value));
    return [other, ...others.map((value) => ({ what, login: login.withClaim(name, value) }))];
  });
}

/** A value that a rule names, or one that begins or ends so. */
function exampleOf(value: ReturnType<typeof valuesIn>[number]): string | number | boolean {
  if (typeof value !== 'object') return value;
  return 'prefix' in value ? `${value.prefix}evil` : `evil${value.suffix}`;
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
/** REFEDS Assurance Framework 2.0. */
const LOW_ASSURANCE = 'https://refeds.org/assurance/IAP/low';

/** By what assurance rules demand, or in each way where there is none. */
export function byWeakSignIn({ login, policy }: Target): Variant[] {
  const demands = rulesOf(policy, 'assurance').map(({ assurance }) => assurance);
  const demanded = demands.flatMap((assurance) => Object.keys(assurance));
  const named: unknown[] = demands.flatMap((assurance) => Object.values(assurance).flat(2));
  return waysOf(login)
    .filter(
      ({ demand, value }) => !named.includes(value) && (demands.length === 0 || demanded.includes(demand)),
    )
    .map(({ value, changed }) => ({ what: value, login: changed }));
}

function waysOf(login: Login): { demand: string; value: string; changed: Login }[] {
  const names = assuranceNames('eduPersonAssurance', login.kind);
  const ways = [
    { demand: 'max_age', value: 'long ago', changed: login.authenticatedAt(LONG_AGO) },
    { demand: 'eduPersonAssurance', value: LOW_ASSURANCE, changed: login.withTexts(names, [LOW_ASSURANCE]) },
  ];
  if (login.kind === 'SAML') return ways;
  return [
    ...ways,
    { demand: 'acr', value: '0', changed: login.withClaim('acr', '0') },
    { demand: 'amr', value: 'pwd', changed: login.withClaim('amr', ['pwd']) },
  ];
}
