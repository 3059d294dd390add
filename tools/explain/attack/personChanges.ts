/** The same login without what rules look at, or as another kind of account. */
import { isOwnClaim } from '../../../lib/openid/claims.ts';
import type { valuesIn } from '../../../lib/profile/rules/claimRule.ts';
import { domainMatcher } from '../../../lib/profile/schema/domains.ts';
import { isChanged } from './login.ts';
import { type Change, EVIL, foreignDomains, variantsOf } from './policy.ts';

export const PERSON_CHANGES = {
  foreign_scope: {
    cure: 'Name whole scopes: `rules: [{ scopes: [...] }]`.',
    variants: ({ login, policy }) => {
      // Code may look at the usual names: then a login without any scope tells whether it does.
      const guess = policy.isCode ? [{ names: policy.scoped, scopes: [] }] : [];
      return [...policy.rulesOf('scopes'), ...guess].flatMap(({ names, scopes }) => {
        const isAllowed = domainMatcher(scopes);
        const isGuess = scopes.length === 0;
        const [text] = login.textsOf(names).filter((one) => !isGuess || one.includes('@'));
        if (text === undefined) return [];
        const [affiliation = '', scope = ''] = text.split('@');
        return Object.entries(foreignDomains(scope))
          .filter(([, other]) => !isAllowed(other))
          .map(([what, other]) => ({
            what,
            login: login.with(names, [`${affiliation}@${other}`]),
            ...(isGuess && { control: login.without(names) }),
          }));
      });
    },
  },
  other_affiliation: {
    cure: 'List the affiliations: `rules: [{ scopes: [...], affiliations: [...] }]`.',
    isError: ({ rules }) => rules.some((rule) => 'scopes' in rule && rule.affiliations !== undefined),
    variants: ({ login, policy }) =>
      policy.rulesOf('scopes').flatMap(({ names, affiliations = [] }) => {
        const scope = login.textsOf(names)[0]?.split('@')[1];
        if (scope === undefined) return [];
        return ['library-walk-in', 'alum', 'affiliate']
          .filter((affiliation) => !affiliations.includes(affiliation))
          .map((what) => ({ what, login: login.with(names, [`${what}@${scope}`]) }));
      }),
  },
  attribute_missing: {
    cure: 'Require a value: `rules: [{ claim: ..., present: true }]` (SAML: `attribute`).',
    /** What a rule needs to allow somebody. */
    variants: ({ login, policy }) =>
      policy.needed.flatMap((names) => {
        const absent = login.without(names);
        const name = names.find((one) => isChanged(login.without([one]), login));
        if (name === undefined) return [];
        return variantsOf({ [`${name} absent`]: absent, [`${name} empty`]: absent.with([name], ['']) });
      }),
  },
  other_value: {
    cure: 'Name whole values: `rules: [{ claim: ..., is: [...] }]` (SAML: `attribute`).',
    /** A value that no rule names, those that one names as another type of JSON, and those that one denies. */
    variants: ({ login, policy }) =>
      policy.rules.flatMap((rule) => {
        const { names } = rule;
        const [name = ''] = names;
        if ('is_not' in rule) {
          const what = `${name} denied`;
          return rule.is_not.map((value) => ({ what, login: login.with(names, exampleOf(value)) }));
        }
        if (!('is' in rule)) return [];
        const other = { what: name, login: login.with(names, ['evil']) };
        // A claim that the event has a field for is a text, or the event is not valid.
        if (login.kind === 'SAML' || isOwnClaim(name)) return [other];
        const what = `${name} of another type`;
        const scalars = rule.is.filter((value) => typeof value !== 'object');
        const types = scalars.map((value) => (typeof value === 'string' ? { value } : String(value)));
        const others = types.filter((value) => typeof value !== 'string' || !rule.is.includes(value));
        return [other, ...others.map((value) => ({ what, login: login.with([name], value) }))];
      }),
  },
  friendly_name_only: {
    cure: 'Have the provider send the standard Names, and name them in `from`: `urn:oid:…`.',
    isError: (policy) => policy.has('scopes'),
    variants: ({ login }) => [{ what: 'all attributes', login: login.byFriendlyName() }],
  },
  another_account: {
    cure: 'Require what such accounts do not have: `rules: [{ any_group: [...] }]`, or `rules: [{ claim: ..., is: [...] }]` (SAML: `attribute`).',
    isError: () => false,
    variants: ({ login }) => {
      const service = 'service-account-batch';
      const isSaml = login.kind === 'SAML';
      return variantsOf({
        guest: isSaml
          ? login.withNameId('ada_evil.example#EXT#@example.onmicrosoft.com')
          : login.with(['acct'], 1).with(['idp'], `https://sts.${EVIL}/`),
        brokered: login.with(['identity_provider'], 'social'),
        'service account': isSaml
          ? login.withNameId(service)
          : login.with(['preferred_username'], service).with(['client_id'], 'batch'),
      });
    },
  },
  weak_sign_in: {
    cure: 'Demand it: `rules: [{ assurance: { max_age: "8h" } }]`, of OpenID with `acr: [...]` too.',
    isError: (policy) => policy.has('assurance'),
    /** By what assurance rules demand, or in each way where there is none. */
    variants: ({ login, policy }) => {
      const demands = policy.rulesOf('assurance').map(({ assurance }) => assurance);
      const demanded = demands.flatMap((assurance) => Object.keys(assurance));
      const named: unknown[] = demands.flatMap((assurance) => Object.values(assurance).flat(2));
      const ofOpenId = [
        { demand: 'acr', what: '0', login: login.with(['acr'], '0') },
        { demand: 'amr', what: 'pwd', login: login.with(['amr'], ['pwd']) },
      ];
      const low = login.with(policy.assurance, [LOW_ASSURANCE]);
      return [
        { demand: 'max_age', what: 'long ago', login: login.authenticatedAt(LONG_AGO) },
        { demand: 'eduPersonAssurance', what: LOW_ASSURANCE, login: low },
        ...(login.kind === 'OpenID' ? ofOpenId : []),
      ].filter(
        ({ demand, what }) => !named.includes(what) && (demands.length === 0 || demanded.includes(demand)),
      );
    },
  },
} as const satisfies Record<string, Change>;

/** A value that a rule names, or one that begins or ends so. */
function exampleOf(value: ReturnType<typeof valuesIn>[number]): string | number | boolean {
  if (typeof value !== 'object') return value;
  return 'prefix' in value ? `${value.prefix}evil` : `evil${value.suffix}`;
}

const LONG_AGO = Date.UTC(2000, 0);
/** REFEDS Assurance Framework 2.0. */
const LOW_ASSURANCE = 'https://refeds.org/assurance/IAP/low';
