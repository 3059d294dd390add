/** What makes a part of a mapping a mistake beside the rest of it, the kind of its logins, or the settings. */
import { KINDS, type LoginKind } from '../../kinds.ts';
import { type Settings, variableOf } from '../../settings.ts';
import { asciiLowerCase, inWords } from '../../text.ts';
import type { DefaultNames } from '../fields/reader.ts';
import { spellingForDenial } from '../groups/deniedGroups.ts';
import { distinguishedNameOf, textOf } from '../groups/matchGroups.ts';
import { sourceText } from '../groups/readGroups.ts';
import { type Group, invalid } from '../schema/mappingSchema.ts';
import type { IssuerPart, PlacedRule } from '../schema/ofIssuer.ts';
import { DEFAULTS, isDefaults, type Source } from '../schema/profileFields.ts';
import { namedGroups, wantedGroups } from './rules.ts';

interface MappingPlace {
  /** Whether the mapping lets in people of more than one issuer. */
  areSeveral: boolean;
  settings: Settings;
}

/** @throws {MappingInvalid} */
export function requireUsable(part: IssuerPart, defaults: DefaultNames, place: MappingPlace): void {
  const { kind } = defaults;
  requireProvableEmail(part, kind);
  requireNamedSources(part, kind);
  requireUsableSeparator(part);
  for (const rule of part.rules) {
    requireRuleOf(kind, rule);
    requireKnownSources(rule, part.groups?.from ?? [DEFAULTS]);
  }
  requireOwnIdentifiers(part, defaults, place);
}

/** SAML itself proves no address: where proof is demanded and the issuer is not trusted to give it, nobody could log in. */
function requireProvableEmail({ email, path, trustsVerified }: IssuerPart, kind: LoginKind): void {
  if (kind === 'OpenID' && trustsVerified)
    throw invalid(`${path}trust_email_verified`, 'expected only in SAML mappings');
  if (kind === 'SAML' && email.unverified === 'demand_proof' && !trustsVerified)
    throw invalid(
      `${path}email.unverified`,
      'expected trust_email_verified: true for an issuer, because demand_proof needs a proof of the addresses',
    );
}

/** A rule that denies needs evidence of each source: of the defaults, no provider sends all. */
function requireNamedSources({ groups, rules }: IssuerPart, kind: LoginKind): void {
  const { from: sources = [DEFAULTS], path = 'groups' } = groups ?? {};
  const denying = rules.find(({ rule }) => 'no_group' in rule && (rule.from ?? sources).some(isDefaults));
  if (!denying) return;
  const example = kind === 'OpenID' ? 'groups' : 'memberOf';
  throw invalid(
    `${path}.from`,
    `expected the names of the sources instead of DEFAULTS, because ${denying.path}.no_group needs ` +
      `evidence of each, e.g. groups: { from: ['${example}'] }`,
  );
}

/** A group that holds the separator could never equal a part of a text. */
function requireUsableSeparator({ groups, rules }: IssuerPart): void {
  if (!groups?.separator || groups.separator === 'none') return;
  const { separator, path } = groups;
  const wanted = namedGroups(groups, rules, wantedGroups);
  const denied = rules.flatMap(({ rule }) => ('no_group' in rule ? rule.no_group : []));
  const holder =
    wanted.find((group) => holdsSeparator(group, separator)) ??
    denied.find((group) => holdsSeparator(group, separator, spellingForDenial));
  if (holder === undefined) return;
  const found = `${JSON.stringify(separator)} in ${JSON.stringify(holder)}`;
  throw invalid(
    `${path}.separator`,
    `expected a text that is in none of the groups that the mapping names, unlike ${found}`,
  );
}

/** Each distinguished name is written with some of `,+=`, spelled as the mapping has it, or as it compares. */
function holdsSeparator(group: Group, separator: string, form = (text: string) => text): boolean {
  const name = distinguishedNameOf(group);
  const isIn = form(`${textOf(group) ?? name}`).includes(form(separator));
  return isIn || (name !== null && /[,+=]/.test(separator + form(separator)));
}

/** A rule about what the logins of this kind do not have would refuse everybody. */
function requireRuleOf(kind: LoginKind, { rule, path }: PlacedRule): void {
  const [own, other] = kind === 'SAML' ? ['attribute', 'claim'] : ['claim', 'attribute'];
  if (other in rule)
    throw invalid(`${path}.${other}`, `expected ${own}, because this is a mapping of ${kind} logins`);
  const demands = kind === 'SAML' && 'assurance' in rule ? rule.assurance : null;
  const absent = (['acr', 'amr', 'acrs'] as const).find((demand) => demands?.[demand]);
  if (absent)
    throw invalid(
      `${path}.assurance.${absent}`,
      'expected only in OpenID mappings, because a SAML event does not have it',
    );
}

/** A rule that names its sources names some of those from which groups are read. */
function requireKnownSources({ rule, path }: PlacedRule, sources: readonly Source[]): void {
  if (!('any_group' in rule || 'no_group' in rule)) return;
  const written = (source: Source) =>
    typeof source === 'string' ? JSON.stringify(source) : sourceText(source);
  const known = sources.map(written);
  const named = rule.from?.map(written) ?? [];
  const index = named.findIndex((source) => !known.includes(source));
  if (index === -1) return;
  throw invalid(
    `${path}.from[${index}]`,
    `expected a source of groups.from, ${inWords(known, 'or')}, found ${named[index]}`,
  );
}

/** Where people of several issuers could share an identifier, the mapping says whether they may. */
function requireOwnIdentifiers(
  { external_id, path, rules }: IssuerPart,
  { kind, scopedIds }: DefaultNames,
  { areSeveral, settings }: MappingPlace,
): void {
  if (!areSeveral || external_id.issuer !== undefined) return;
  const hasScopes = rules.some(({ rule }) => 'scopes' in rule);
  const isHeld = (name: string) => hasScopes && scopedIds.has(asciiLowerCase(name));
  const source = external_id.from.find((one) => typeof one !== 'string' || !isHeld(one));
  const { externalId: setting } = KINDS[kind];
  const value = settings[setting];
  const isSet = value !== 'off' && !(hasScopes && SCOPED_SETTINGS.includes(value));
  const ofSetting = isSet ? `${variableOf(setting)}=${value}` : null;
  const loose = typeof source === 'object' ? source.use : (source ?? ofSetting);
  if (loose === null) return;
  throw invalid(
    `${path}external_id.issuer`,
    'expected true, which puts the issuer in front of each identifier, or false, if all issuers share their identifiers, ' +
      `because several issuers are accepted, and ${loose} is not held to listed scopes`,
  );
}

/** The values of a setting that name an identifier with a scope. */
const SCOPED_SETTINGS = ['subject_id', 'pairwise_id', 'edu_person_unique_id'];
