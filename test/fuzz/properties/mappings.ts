/** With handlers that are mappings: nobody logs in whom a rule refuses, to no other groups than the table's. */
import fc from 'fast-check';
import type { Mapping } from '../../../lib/profile/mappingSchema.ts';
import type { FunctionName } from '../../support/bundle.ts';
import { samlEventOf, samlLogin } from '../arbitraries/mappedAssertions.ts';
import { openIdEventOf, openIdLogin } from '../arbitraries/mappedLogins.ts';
import { type LoadOptions, type LoginFunction, loadFunction } from '../loginFunction.ts';
import { isFor } from '../mappings.ts';
import { attributesEvidence } from '../oracle/attributes.ts';
import { claimsEvidence } from '../oracle/claims.ts';
import type { Evidence } from '../oracle/evidence.ts';
import { requireMappedLogin } from '../oracle/mappedLogin.ts';
import { type Property, property } from '../property.ts';

export type Mappings = Readonly<Record<string, Mapping>>;

const GENERATED = /^generated /;

export async function mappingProperties(
  name: FunctionName,
  mappings: Mappings,
  options: LoadOptions,
): Promise<Property[]> {
  const fn = await loadFunction(name, options);
  const kind = name === 'openidLoggedIn' ? 'OpenID' : 'SAML';
  const all = Object.entries(mappings).filter(([, mapping]) => isFor(kind, mapping));
  const fixed = all.filter(([chosen]) => !GENERATED.test(chosen));
  const generated = all.filter(([chosen]) => GENERATED.test(chosen));
  const propertyOf = kind === 'OpenID' ? openIdProperty : samlProperty;
  return [
    ...fixed.map(([chosen, mapping]) => propertyOf(fn, chosen, 1, [[chosen, mapping]])),
    ...(generated.length > 0 ? [propertyOf(fn, 'generated ones', fixed.length, generated)] : []),
  ];
}

type Entries = [chosen: string, mapping: Mapping][];

function openIdProperty(fn: LoginFunction, title: string, share: number, entries: Entries): Property {
  const login = fc.oneof(
    ...entries.map(([chosen, mapping]) => openIdLogin(mapping).map((login) => ({ chosen, login }))),
  );
  const all = Object.fromEntries(entries);
  return property(`mapping: ${title}`, share, login, async ({ chosen, login }) => {
    const mapping = all[chosen] as Mapping;
    await requireLogin(fn, mapping, openIdEventOf(mapping, chosen, login), claimsEvidence);
  });
}

function samlProperty(fn: LoginFunction, title: string, share: number, entries: Entries): Property {
  const login = fc.oneof(
    ...entries.map(([chosen, mapping]) => samlLogin(mapping).map((login) => ({ chosen, login }))),
  );
  const all = Object.fromEntries(entries);
  return property(`mapping: ${title}`, share, login, async ({ chosen, login }) => {
    const mapping = all[chosen] as Mapping;
    await requireLogin(fn, mapping, samlEventOf(mapping, chosen, login), attributesEvidence);
  });
}

async function requireLogin<TEvent>(
  { login }: LoginFunction,
  mapping: Mapping,
  text: string,
  evidenceOf: (event: TEvent) => Evidence,
): Promise<void> {
  const evidence = evidenceOf(JSON.parse(text));
  requireMappedLogin(mapping, evidence, await login(text));
}
