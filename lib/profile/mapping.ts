/** Makes a handler out of a profile mapping: each login is decided by the policy of its issuer. */

import { isAtEntra } from '../issuers.ts';
import type { LoginKind } from '../kinds.ts';
import { configuration } from '../readSettings.ts';
import type { Settings } from '../settings.ts';
import { decideLogin } from './decide.ts';
import type { FieldSpec } from './fields/findField.ts';
import { identifierPolicy } from './fields/identifier.ts';
import type { DefaultNames } from './fields/reader.ts';
import { KIND, type Kind, MAPPING } from './kind.ts';
import { DEFAULT_FIELDS, type IssuerPolicy, type LoginPolicy, loginPolicy } from './policy.ts';
import type { UserLoginResponse } from './response.ts';
import { accessPolicy } from './rules/access.ts';
import { requireUsableRules } from './rules/ruleChecks.ts';
import { addressTests, type PlacedRule } from './rules/rules.ts';
import { warn } from './rules/ruleWarnings.ts';
import {
  type AskingMapping,
  type Mapping,
  MappingInvalid,
  type ParsedMapping,
  type ParsedPart,
  parseMapping,
  type Rule,
} from './schema/mappingSchema.ts';
import { sourcesByIssuer } from './sources.ts';

/** Where other systems are asked first, it responds as a promise. */
type AskingHandler<TEvent> = (event: TEvent) => UserLoginResponse | Promise<UserLoginResponse>;

/** @throws {MappingInvalid} with the path of each mistake in the mapping */
export function mappingHandler<TEvent>(
  kind: Kind<TEvent>,
  mapping: Mapping,
): (event: TEvent) => UserLoginResponse;
export function mappingHandler<TEvent>(kind: Kind<TEvent>, mapping: AskingMapping): AskingHandler<TEvent>;
export function mappingHandler<TEvent>(kind: Kind<TEvent>, mapping: AskingMapping): AskingHandler<TEvent> {
  const { names, read, ask } = kind;
  const parsed = parseMapping(mapping);
  const own = configuration(names.kind);
  const policyOf = policies(parsed, names, own.settings);
  const sourcesOf = sourcesByIssuer(parsed, names.kind);
  const decided = (event: TEvent) => decideLogin(kind, event, policyOf, own);
  const handler: AskingHandler<TEvent> = (event) => {
    const sources = sourcesOf.get(read(event).issuer);
    return sources && ask ? ask(event, sources).then(() => decided(event)) : decided(event);
  };
  return Object.defineProperties(handler, { [KIND]: { value: names.kind }, [MAPPING]: { value: mapping } });
}

function policies(
  { issuers, rules, messages = {}, ...common }: ParsedMapping,
  defaults: DefaultNames,
  settings: Settings,
): (issuer: string) => IssuerPolicy {
  const commonRules = placed(rules, '');
  if (!issuers) {
    const policy = policyOfPart(common, commonRules, defaults, {
      path: '',
      groupsPath: 'groups',
      trustsVerified: false,
      areSeveral: true,
      settings,
    });
    return () => ({ policy, messages, listed: [] });
  }
  const listed = Object.keys(issuers);
  const areSeveral = listed.length > 1;
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
      const external_id = { ...common.external_id, ...withoutUnset(own.external_id ?? {}) };
      const part = { ...common, ...withoutUnset(own), external_id };
      const place = {
        path,
        groupsPath: own.groups ? `${path}groups` : 'groups',
        trustsVerified: trust_email_verified,
        areSeveral,
        settings,
      };
      if (part.groups?.absent.length && isAtEntra(URL.parse(issuer)))
        warn(`${place.groupsPath}.absent: ${ABSENT_AT_ENTRA}`);
      const policy = policyOfPart(part, [...commonRules, ...placed(ownRules, path)], defaults, place);
      return [issuer, { policy, messages: { ...messages, ...withoutUnset(ownMessages) }, listed }];
    }),
  );
  return (issuer) => byIssuer.get(issuer) ?? { policy: null, messages, listed };
}

interface PartPlace {
  /** Where the part stands in the mapping. */
  path: string;
  trustsVerified: boolean;
  /** Where its `groups` stand: in the part, or beside all issuers. */
  groupsPath: string;
  /** Whether the mapping lets in people of more than one issuer. */
  areSeveral: boolean;
  settings: Settings;
}

function policyOfPart(
  { groups, external_id, ...fields }: Omit<ParsedPart, 'rules' | 'messages'>,
  placedRules: PlacedRule[],
  defaults: DefaultNames,
  { path, groupsPath, trustsVerified, areSeveral, settings }: PartPlace,
): LoginPolicy {
  const rules = placedRules.map(({ rule }) => rule);
  const specs = {
    ...DEFAULT_FIELDS,
    ...withoutUnset(fields),
    external_id: { ...DEFAULT_FIELDS.external_id, ...withoutUnset(external_id ?? {}) },
  };
  requireProvableEmail(specs.email, defaults.kind, { path, trustsVerified });
  const placedGroups = groups ? { ...groups, path: groupsPath } : null;
  requireUsableRules(placedRules, placedGroups, defaults.kind);
  const email = { ...specs.email, trustsVerified, addressTests: addressTests(rules) };
  return loginPolicy({ ...specs, email }, defaults, {
    access:
      groups || rules.length > 0 ? accessPolicy(placedGroups, placedRules, specs.email.from, defaults) : null,
    identifiers: identifierPolicy(specs.external_id, rules, defaults, { path, areSeveral, settings }),
  });
}

/** SAML itself proves no address: where proof is demanded and the issuer is not trusted to give it, nobody could log in. */
function requireProvableEmail(
  { unverified }: FieldSpec,
  kind: LoginKind,
  { path, trustsVerified }: Pick<PartPlace, 'path' | 'trustsVerified'>,
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
