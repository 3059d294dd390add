/** In which language a person reads what the functions say. */
import { cp, glob, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Language } from '../../lib/messages/languages.ts';
import { DIST } from '../../tools/bundle/build.ts';
import { OWN_WORDS, withoutReference } from '../../tools/explain/ownWords.ts';
import { login, sharedFunction } from '../support/bundle.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { openIdEvent } from '../support/wire.ts';

const root = temporaryFolder();
const said = ({ message }: Record<string, unknown>) => withoutReference(String(message));

function unverified(locale: string) {
  const event = openIdEvent();
  Object.assign(event.idToken.otherClaims, { email_verified: false, locale });
  return event;
}

describe('of a function that speaks German', () => {
  const send = sharedFunction('openidLoggedIn', { env: { MESSAGE_LANGUAGE: 'de' } });

  test.each<[Language, string]>([
    ['de', 'it'],
    ['en', 'en_US'],
    ['cs', 'cs-CZ'],
    ['fr', 'fr'],
    ['es', 'es-419'],
  ])('the words are in %s for who prefers %s', async (language, locale) => {
    const { answer, record } = await send(unverified(locale));
    expect(said(answer)).toBe(OWN_WORDS[language].email_unverified);
    expect(String(answer.message)).toContain(String(record?.requestId));
  });
});

test('a language whose file cannot be read stops no response', async () => {
  await cp(DIST, root, { recursive: true });
  const files = await Array.fromAsync(glob('chunks/cs-*.mjs', { cwd: root }));
  expect(files).toHaveLength(1);
  for (const file of files) await rm(join(root, file));
  const { answer } = await login('openidLoggedIn', unverified('cs'), { root });
  expect(said(answer)).toBe(OWN_WORDS.en.email_unverified);
});
