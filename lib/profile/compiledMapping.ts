/** How the logins of one issuer are decided: where the fields of a profile are looked for, and who may log in. */

import type { LoginKind } from '../kinds.ts';
import { type FieldLookup, type FieldSpec, fieldLookup } from './fields/findField.ts';
import type { NameLookup } from './fields/findNames.ts';
import type { IdentifierForm } from './fields/identifier.ts';
import type { Note } from './fields/nearMiss.ts';
import type { DefaultNames } from './fields/reader.ts';
import type { EvaluateAccess } from './rules/access.ts';
import type { Messages } from './schema/mappingSchema.ts';
import { DEFAULTS, eachField, type FieldName, type Source, wordsOf } from './schema/profileFields.ts';

export interface CompiledMapping {
  kind: LoginKind;
  fields: Record<FieldName, FieldLookup>;
  names: NameLookup['names'];
  /** Decides by groups and rules; null: everybody with a profile may log in, with no group. */
  access: EvaluateAccess | null;
  identifiers: IdentifierForm;
}

export interface IssuerMapping {
  /** What the operator can do, where issuers are listed and this one is not. */
  compiled: CompiledMapping | (() => Note);
  /** The operator's words for who is refused. */
  messages: Messages;
  /** As its operator wrote it; null for a default handler. */
  mapping: object | null;
}

interface FieldSpecs extends Record<FieldName, FieldSpec> {
  full_name?: FieldSpec;
}

const FROM_DEFAULTS: FieldSpec = { from: [DEFAULTS], fallback: null };
const NOTHING: FieldSpec = { from: [], fallback: null };

/** What nobody needs to log in is looked for where a mapping says so. */
export const DEFAULT_FIELDS: FieldSpecs = {
  ...eachField((field) => (wordsOf(field) === null ? NOTHING : FROM_DEFAULTS)),
  email: { ...FROM_DEFAULTS, unverified: 'refuse' },
};

export function compiledMapping(
  specs: FieldSpecs,
  defaults: DefaultNames,
  { access, identifiers }: Pick<CompiledMapping, 'access' | 'identifiers'>,
): CompiledMapping {
  const fields = eachField((field) => fieldLookup(field, specs[field], defaults));
  return { kind: defaults.kind, fields, names: namesIn(specs, defaults), access, identifiers };
}

function namesIn(specs: FieldSpecs, defaults: DefaultNames): NameLookup['names'] {
  const { full_name } = specs;
  const isDefault = (source: Source) => (source as { use?: string }).use === 'defaults';
  const isMade = ({ from }: FieldSpec) => full_name !== undefined || from.some(isDefault);
  return {
    fullName: fieldLookup('full_name', full_name ?? FROM_DEFAULTS, defaults),
    isFullNameNamed: full_name !== undefined,
    isMade: { first_name: isMade(specs.first_name), last_name: isMade(specs.last_name) },
  };
}

const defaultMappings = new Map<DefaultNames, CompiledMapping>();

/** Made on first use: a function needs that of one kind, and a mapping of its own neither. */
export function defaultMapping(names: DefaultNames): CompiledMapping {
  const known = defaultMappings.get(names);
  // Stryker disable next-line ConditionalExpression: it only saves time.
  if (known) return known;
  // Stryker disable next-line ObjectLiteral: no source of an identifier is read by default.
  const identifiers = { scopedIds: names.scopedIds, withIssuer: false };
  const mapping = compiledMapping(DEFAULT_FIELDS, names, { access: null, identifiers });
  // Stryker disable next-line CallExpression: it only saves time.
  defaultMappings.set(names, mapping);
  return mapping;
}
