/** How the logins of one issuer are decided: where the fields of a profile are looked for, and who may log in. */

import type { AddressTest } from './fields/addressChoice.ts';
import { type FieldLookup, fieldLookup } from './fields/findField.ts';
import type { NameLookup } from './fields/findNames.ts';
import { eachHalf } from './fields/nameHalves.ts';
import type { Note } from './fields/nearMiss.ts';
import type { DefaultNames } from './fields/reader.ts';
import type { EvaluateAccess } from './rules/access.ts';
import type { Messages } from './schema/mappingSchema.ts';
import { DEFAULT_PART, FROM_DEFAULTS, type IssuerPart } from './schema/ofIssuer.ts';
import { eachField, type FieldName, isDefaults } from './schema/profileFields.ts';

export interface CompiledMapping {
  fields: Record<FieldName, FieldLookup>;
  names: NameLookup['names'];
  /** Decides by groups and rules; null: everybody with a profile may log in, with no group. */
  access: EvaluateAccess | null;
}

export interface IssuerMapping {
  /** What the operator can do, where issuers are listed and this one is not. */
  compiled: CompiledMapping | (() => Note);
  /** The operator's words for who is refused. */
  messages: Messages;
  /** As its operator wrote it; null for a default handler. */
  mapping: object | null;
}

/** What groups and rules make of a mapping. A function without a mapping loads no code for them. */
export interface Guards {
  access: EvaluateAccess | null;
  /** What rules ask of the address that is used. */
  tests: readonly AddressTest[];
}

const NO_GUARDS: Guards = { access: null, tests: [] };

export function compiledMapping(
  part: IssuerPart,
  defaults: DefaultNames,
  { access, tests }: Guards = NO_GUARDS,
): CompiledMapping {
  const { full_name, trustsVerified } = part;
  const { unverified } = part.email;
  const specs = { ...part, email: { ...part.email, address: { unverified, trustsVerified, tests } } };
  const fullName = fieldLookup('full_name', full_name ?? FROM_DEFAULTS, defaults);
  const isFullNameNamed = full_name !== undefined;
  const isMade = eachHalf((half) => isFullNameNamed || part[half].from.some(isDefaults));
  const alsoTried: { [TField in FieldName]?: readonly string[] } = eachHalf((half) =>
    isMade[half] ? fullName.tried : [],
  );
  return {
    fields: eachField((field) => fieldLookup(field, specs[field], defaults, alsoTried[field])),
    names: { fullName, isFullNameNamed, isMade },
    access,
  };
}

const defaultMappings = new Map<DefaultNames, CompiledMapping>();

/** Made on first use: a function needs that of one kind, and a mapping of its own neither. */
export function defaultMapping(names: DefaultNames): CompiledMapping {
  const known = defaultMappings.get(names);
  // Stryker disable next-line ConditionalExpression: it only saves time.
  if (known) return known;
  const mapping = compiledMapping(DEFAULT_PART, names);
  // Stryker disable next-line CallExpression: it only saves time.
  defaultMappings.set(names, mapping);
  return mapping;
}
