/**
 * The handlers under test, bundled with the functions. Which of them gets a login is said by a part of the event that
 * none of them reads: `tokenType`, or the session index.
 */
import { readFileSync } from 'node:fs';
import { mapOpenIdLogin, mapSamlLogin, type OpenIdHandler, type SamlHandler } from 'login-hooks';
import type { Mapping } from '../../../lib/profile/mappingSchema.ts';
import { isFor } from '../mappings.ts';
import { waitingOpenId, waitingSaml } from './waiting.ts';
import { workedOpenId, workedSaml } from './worked.ts';

const { FUZZ_MAPPINGS } = process.env;
const mappings: Record<string, Mapping> = FUZZ_MAPPINGS
  ? JSON.parse(readFileSync(FUZZ_MAPPINGS, 'utf8'))
  : {};

const openIdHandlers = new Map<string, OpenIdHandler>([
  ...Object.entries(workedOpenId),
  ['waiting', waitingOpenId],
]);
const samlHandlers = new Map<string, SamlHandler>([...Object.entries(workedSaml), ['waiting', waitingSaml]]);
for (const [name, mapping] of Object.entries(mappings)) {
  if (isFor('OpenID', mapping)) openIdHandlers.set(name, mapOpenIdLogin(mapping as never));
  if (isFor('SAML', mapping)) samlHandlers.set(name, mapSamlLogin(mapping as never));
}

export const handleOpenIdUserLoggedIn: OpenIdHandler = (event) =>
  chosen(openIdHandlers, event.token_type)(event);

export const handleSamlUserLoggedIn: SamlHandler = (event) =>
  chosen(samlHandlers, event.assertion.authn_statement.session_index)(event);

function chosen<THandler>(handlers: ReadonlyMap<string, THandler>, name: string | null): THandler {
  const handler = handlers.get(name ?? '');
  if (!handler) throw new Error('expected the name of a handler under test');
  return handler;
}
