/** Makes a handler out of a profile mapping: each login is decided by the policy of its issuer. */

import { isAtEntra } from '../issuers.ts';
import type { LoginKind } from '../kinds.ts';
import { accessPolicy } from './access.ts';
import {
  DEFAULT_FIELDS,
  decideLogin,
  type EventKind,
  KIND,
  type LoginPolicy,
  loginPolicy,
  MAPPING,
} from './decide.ts';
import { domainMatcher } from './domains.ts';
import type { FieldSpec } from './findField.ts';
import {
  type AskingMapping,
  type Mapping,
  MappingInvalid,
  type Messages,
  type ParsedMapping,
  type ParsedPart,
  parseMapping,
  type Rule,
} from './mappingSchema.ts';
import { DEFAULTS, type DefaultNames, type Source } from './reader.ts';
import type { UserLoginResponse } from './response.ts';
import { requireUsableRule } from './ruleChecks.ts';
import type { PlacedRule } from './rules.ts';
import { warn } from './ruleWarnings.ts';
import { sourcesByIssuer } from './sources.ts';

/** Where other systems are asked first, it responds as a promise. */
type AskingHandler<TEvent> = (event: TEvent) => UserLoginResponse | Promise<UserLoginResponse>;

/** @throws {MappingInvalid} with the path of each mistake in the mapping */
export function mappingHandler<TEvent>(
  ofKind: EventKind<TEvent>,
  mapping: Mapping,
): (event: TEvent) => UserLoginResponse;
export function mappingHandler<TEvent>(
  ofKind: EventKind<TEvent>,
  mapping: AskingMapping,
): AskingHandler<TEvent>;
export function mappingHandler<TEvent>(
  { names, read, ask }: EventKind<TEvent>,
  mapping: AskingMapping,
): AskingHandler<TEvent> {
  const parsed = parseMapping(mapping);
  const policyOf = policies(parsed, names);
  const sourcesOf = sourcesByIssuer(parsed, names.kind);
  const decided = (event: TEvent) => {
    const reader = read(event);
    const { policy, messages } = policyOf(reader.issuer);
    return decideLogin(reader, policy, messages);
  };
  const handler: AskingHandler<TEvent> = (event) => {
    const sources = sourcesOf.get(read(event).issuer);
    return sources && ask ? ask(event, sources).then(() => decided(event)) : decided(event);
  };
  return Object.defineProperties(handler, { [KIND]: { value: names.kind }, [MAPPING]: { value: mapping } });
}

interface IssuerPolicy {
  /** Null where issuers are listed and this one is not. */
  policy: LoginPolicy | null;
  messages: Messages;
}

function policies(
  { issuers, rules, messages = {}, ...common }: ParsedMapping,
  defaults: DefaultNames,
): (issuer: string) => IssuerPolicy {
  const commonRules = placed(rules, '');
  if (!issuers) {
    const policy = policyOfPart(common, commonRules, defaults, {
      path: '',
      groupsPath: 'groups',
      trustsVerified: false,
    });
    return () => ({ policy, messages });
  }
  const byIssuer = new Map(
    Object.entries(issuers).map(([issuer, entry]) => {
      const {
        rules: ownRules,
        messages: ownMessages = {},
        trust_email_verified,
        userinfo: _,
        ...own
      } = entry;
      const path = `issuers.${issuer}.`;
      const part = { ...common, ...withoutUnset(own) };
      const place = {
        path,
        groupsPath: own.groups ? `${path}groups` : 'groups',
        trustsVerified: trust_email_verified,
      };
      if (part.groups?.absent.length && isAtEntra(URL.parse(issuer)))
        warn(`${place.groupsPath}.absent: ${ABSENT_AT_ENTRA}`);
      const policy = policyOfPart(part, [...commonRules, ...placed(ownRules, path)], defaults, place);
      return [issuer, { policy, messages: { ...messages, ...withoutUnset(ownMessages) } }];
    }),
  );
  return (issuer) => byIssuer.get(issuer) ?? { policy: null, messages };
}

interface Trust {
  /** Where the part stands in the mapping. */
  path: string;
  trustsVerified: boolean;
}

interface PartPlace extends Trust {
  /** Where its `groups` stand: in the part, or beside all issuers. */
  groupsPath: string;
}

function policyOfPart(
  { groups, ...fields }: Omit<ParsedPart, 'rules' | 'messages'>,
  rules: PlacedRule[],
  defaults: DefaultNames,
  { path, groupsPath, trustsVerified }: PartPlace,
): LoginPolicy {
  const specs = { ...DEFAULT_FIELDS, ...withoutUnset(fields) };
  requireProvableEmail(specs.email, defaults.kind, { path, trustsVerified });
  requireNamedSources(groups, rules, { groupsPath, kind: defaults.kind });
  for (const rule of rules) requireUsableRule(rule, defaults.kind, groups?.from ?? [DEFAULTS]);
  const scopeRules = rules.map(({ rule }) => rule).filter((rule) => 'scopes' in rule);
  const scopes = scopeRules.flatMap((rule) => rule.scopes);
  return loginPolicy({ ...specs, email: { ...specs.email, trustsVerified } }, defaults, {
    access:
      groups || rules.length > 0
        ? accessPolicy(groups ? { ...groups, path: groupsPath } : null, rules, specs.email.from, defaults)
        : null,
    isOwnScope: scopes.length > 0 ? domainMatcher(scopes) : null,
  });
}

/** SAML itself proves no address: where proof is demanded and the issuer is not trusted to give it, nobody could log in. */
function requireProvableEmail(
  { unverified }: FieldSpec,
  kind: LoginKind,
  { path, trustsVerified }: Trust,
): void {
  if (kind === 'OpenID' && trustsVerified) {
    throw new MappingInvalid(`${path}trust_email_verified: expected only in SAML mappings`);
  }
  if (kind === 'SAML' && unverified === 'demand_proof' && !trustsVerified) {
    throw new MappingInvalid(
      `${path}email.unverified: expected trust_email_verified: true for an issuer, because demand_proof needs a proof of the addresses`,
    );
  }
}

const ABSENT_AT_ENTRA =
  'Entra may leave out the groups if there are too many, so their absence does not prove that there are none.';

/** A rule that denies needs evidence of each source: of the defaults, no provider sends all. */
function requireNamedSources(
  groups: ParsedPart['groups'],
  rules: readonly PlacedRule[],
  { groupsPath, kind }: { groupsPath: string; kind: LoginKind },
): void {
  const isDefault = (source: Source) => typeof source === 'object' && source.use === 'defaults';
  const denying = rules.find(
    ({ rule }) => 'no_group' in rule && (rule.from ?? groups?.from ?? [DEFAULTS]).some(isDefault),
  );
  if (!denying) return;
  const example = kind === 'OpenID' ? 'groups' : 'memberOf';
  throw new MappingInvalid(
    `${groupsPath}.from: expected the names of the sources instead of DEFAULTS, because ${denying.path}.no_group needs ` +
      `evidence of each, e.g. groups: { from: ['${example}'] }`,
  );
}

function placed(rules: readonly Rule[] | undefined, prefix: string): PlacedRule[] {
  return (rules ?? []).map((rule, index) => ({ rule, path: `${prefix}rules[${index}]` }));
}

type Given<TObject> = { [TKey in keyof TObject]?: Exclude<TObject[TKey], undefined> };

/** What an issuer leaves unset comes from the rest of the mapping. */
function withoutUnset<TObject extends object>(object: TObject): Given<TObject> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined),
  ) as Given<TObject>;
}
