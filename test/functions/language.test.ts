/** In which language a person reads what the functions say. */
import { cp, glob, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { DIST } from '../../tools/bundle/build.ts';
import { OWN_WORDS, withoutReference } from '../../tools/explain/ownWords.ts';
import { login } from '../support/bundle.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { openIdEvent } from '../support/wire.ts';

const root = temporaryFolder();

/** What somebody is told who prefers this language. */
async function toldIn(locale: string): Promise<string> {
  const event = openIdEvent();
  Object.assign(event.idToken.otherClaims, { email_verified: false, locale });
  const { answer } = await login('openidLoggedIn', event, { root });
  return withoutReference(String(answer.message));
}

test('a language whose file cannot be read stops no response, and the others are read', async () => {
  await cp(DIST, root, { recursive: true });
  const files = await Array.fromAsync(glob('chunks/cs-*.mjs', { cwd: root }));
  expect(files).toHaveLength(1);
  for (const file of files) await rm(join(root, file));
  expect(await toldIn('cs')).toBe(OWN_WORDS.en.email_unverified);
  expect(await toldIn('fr')).toBe(OWN_WORDS.fr.email_unverified);
});
