/** How a mapping's identifiers are taken, and whether people of several issuers are told apart. */
import { KINDS } from '../../kinds.ts';
import { type Settings, variableOf } from '../../settings.ts';
import { asciiLowerCase } from '../../text.ts';
import type { FieldSpec } from '../fields/findField.ts';
import type { IdentifierForm } from '../fields/identifier.ts';
import type { DefaultNames } from '../fields/reader.ts';
import { MappingInvalid, type Rule } from '../schema/mappingSchema.ts';

export interface MappingPlace {
  path: string;
  /** Whether the mapping lets in people of more than one issuer. */
  areSeveral: boolean;
  settings: Settings;
}

/**
 * @param spec what the mapping says of `external_id`
 * @throws {MappingInvalid} where people of several issuers could share an identifier, and the mapping does not say whether they may
 */
export function identifierForm(
  spec: FieldSpec,
  rules: readonly Rule[],
  defaults: DefaultNames,
  { path, areSeveral, settings }: MappingPlace,
): IdentifierForm {
  const hasScopes = rules.some((rule) => 'scopes' in rule);
  const loose = looseSource(spec, hasScopes, defaults, settings);
  if (areSeveral && spec.issuer === undefined && loose !== null) {
    throw new MappingInvalid(
      `${path}external_id.issuer: expected true, which puts the issuer in front of each identifier, or false, if all issuers ` +
        `share their identifiers, because several issuers are accepted, and ${loose} is not held to listed scopes`,
    );
  }
  return { scopedIds: defaults.scopedIds, withIssuer: spec.issuer === true };
}

/** The values of a setting that name an identifier with a scope. */
const SCOPED_SETTINGS = ['subject_id', 'pairwise_id', 'edu_person_unique_id'];

/** A source whose identifiers two issuers may give to two people; null where there is none. */
function looseSource(
  { from }: FieldSpec,
  hasScopes: boolean,
  { kind, scopedIds }: DefaultNames,
  settings: Settings,
): string | null {
  const isHeld = (name: string) => hasScopes && scopedIds.has(asciiLowerCase(name));
  const source = from.find((one) => typeof one !== 'string' || !isHeld(one));
  if (source !== undefined) return typeof source === 'string' ? source : source.use;
  const { externalId: setting } = KINDS[kind];
  const value = settings[setting];
  if (value === 'off' || (hasScopes && SCOPED_SETTINGS.includes(value))) return null;
  return `${variableOf(setting)}=${value}`;
}
