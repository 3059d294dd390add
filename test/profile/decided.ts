/** Logins that a mapping decides, each with its decision and its trace. */
import * as v from 'valibot';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { type Decision, decisionOf } from '../../lib/profile/decision.ts';
import type { UserLoginResponse } from '../../lib/profile/response.ts';
import type { Mapping, OpenIdMappingAtOnce, SamlMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { configuration } from '../../lib/readSettings.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { mapOpenIdLogin, mapSamlLogin } from '../../lib/sdk.ts';
import type { Settings } from '../../lib/settings.ts';
import { type attribute, openIdEvent, samlEvent } from '../support/wire.ts';

export type Claims = Readonly<Record<string, unknown>>;
export type Rule = NonNullable<Mapping['rules']>[number];
export type Reason = Decision['reason'];

/** Of user groups, and object ids of groups. */
export const G1 = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
export const G2 = '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11';

/** Mappings in tables are of either kind. */
export const openIdHandler = (mapping: Mapping) => mapOpenIdLogin(mapping as OpenIdMappingAtOnce);
export const samlHandler = (mapping: Mapping) => mapSamlLogin(mapping as SamlMapping);

/** @param claims beside a name and an address, or in the place of them */
export function openId(mapping: Mapping, claims: Claims = {}, issuer?: string) {
  const wire = openIdEvent();
  wire.idToken.iss = issuer ?? wire.idToken.iss;
  Object.assign(wire.idToken.otherClaims, claims);
  return decided(openIdHandler(mapping)(v.parse(OpenIdUserLoggedInEvent, wire)));
}

type Attributes = ReturnType<typeof attribute>[];
type OfNameId = [value?: string, format?: string | null];

/** @param attributes beside a name and an address */
export function saml(mapping: Mapping, attributes: Attributes = [], ...nameId: OfNameId) {
  return samlOf(mapping, [...samlEvent().assertion.assertionAttributeStatement, ...attributes], ...nameId);
}

/** @param attributes all that arrive */
export function samlOf(mapping: Mapping, attributes: Attributes, ...nameId: OfNameId) {
  const [nameIDValue = '_name-id-1', nameIDFormat = null] = nameId;
  const wire = samlEvent(attributes);
  Object.assign(wire.assertion.assertionSubject.subjectNameID, { nameIDValue, nameIDFormat });
  return decided(samlHandler(mapping)(v.parse(SamlUserLoggedInEvent, wire)));
}

function decided(response: UserLoginResponse) {
  const decision = decisionOf(response);
  if (!decision) throw new Error('expected a response that a mapping decided');
  return { response, decision, trace: decision.explain() };
}

/** The settings are read once: what is changed here is put back. */
export function withSettings<T>(kind: 'OpenID' | 'SAML', changed: Partial<Settings>, use: () => T): T {
  const { settings } = configuration(kind);
  const before = { ...settings };
  Object.assign(settings, changed);
  try {
    return use();
  } finally {
    Object.assign(settings, before);
  }
}
