/** In which language a person reads what the functions say. */
import { cp, glob, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Language } from '../../lib/messages/languages.ts';
import { DIST } from '../../tools/bundle/build.ts';
import { OWN_WORDS, withoutReference } from '../../tools/shared/ownWords.ts';
import { login, sharedFunction } from '../support/bundle.ts';
import { customHandler } from '../support/customHandler.ts';
import { attribute, openIdEvent, samlEvent } from '../support/wire.ts';

const UNVERIFIED = {
  email: 'ada@example.org',
  given_name: 'Ada',
  family_name: 'Lovelace',
  email_verified: false,
};
const said = ({ message }: Record<string, unknown>) => withoutReference(String(message));

function unverified(claims: Record<string, unknown> = {}) {
  const event = openIdEvent();
  event.idToken.otherClaims = { ...UNVERIFIED, ...claims };
  return event;
}

describe('of functions that speak German', () => {
  const openId = sharedFunction('openidLoggedIn', { env: { MESSAGE_LANGUAGE: 'de' } });
  const saml = sharedFunction('samlLoggedIn', { env: { MESSAGE_LANGUAGE: 'de' } });

  test.each<[Language, Record<string, unknown>]>([
    ['de', {}],
    ['de', { locale: 'it' }],
    ['en', { locale: 'en_US' }],
    ['cs', { locale: 'cs-CZ' }],
    ['fr', { locale: 'fr' }],
    ['es', { locale: 'es-419' }],
  ])('a default handler’s words are in %s for %j', async (language, claims) => {
    const { answer, record } = await openId(unverified(claims));
    expect(said(answer)).toBe(OWN_WORDS[language].email_unverified);
    expect(String(answer.message)).toContain(String(record?.requestId));
  });

  test('those for an assertion are in its preferred language', async () => {
    const { answer } = await saml(samlEvent([attribute('preferredLanguage', 'it, es;q=0.8')]));
    expect(said(answer)).toMatch(
      /^Su proveedor de identidad no ha enviado su dirección .* ni sus apellidos\.$/,
    );
  });
});

test('a function that is not set up reads no event, and says so in the language of the setting', async () => {
  const env = { OPENID_HANDLER_MODULE: 'handlers/none', MESSAGE_LANGUAGE: 'fr' };
  const { answer } = await login('openidLoggedIn', unverified({ locale: 'cs' }), { env });
  expect(said(answer)).toBe(OWN_WORDS.fr.not_set_up);
});

test('an error of a handler is told in the language of the person', async () => {
  const env = { OPENID_HANDLER_MODULE: await customHandler('export default () => { throw new Error("x") }') };
  const { answer } = await login('openidLoggedIn', unverified({ locale: 'cs' }), { env });
  expect(said(answer)).toBe(OWN_WORDS.cs.not_completed);
});

test('a language whose file cannot be read stops no response', async () => {
  const root = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  await cp(DIST, root, { recursive: true });
  const files = await Array.fromAsync(glob('chunks/cs-*.mjs', { cwd: root }));
  expect(files).toHaveLength(1);
  for (const file of files) await rm(join(root, file));
  const { answer } = await login('openidLoggedIn', unverified({ locale: 'cs' }), { root });
  await rm(root, { recursive: true });
  expect(said(answer)).toBe(OWN_WORDS.en.email_unverified);
});
