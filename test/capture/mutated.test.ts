/** Whatever becomes of a capture on its way: it is read, or refused with a sentence. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Captured } from '../../tools/capture/captured.ts';
import { EVENTS } from '../../tools/local/events.ts';
import { UnusableInput } from '../../tools/shared/commandLine.ts';
import { inOrder } from '../../tools/shared/finding.ts';
import { compact } from '../support/signingKeys.ts';
import * as caught from './caught.ts';
import { base64, entry, har, posted, SAML_ISSUERS } from './caught.ts';

const CLAIMS = { iss: 'https://idp.example.org', sub: 'ada', aud: ['client'], iat: 1, exp: 2, groups: ['a'] };
const TOKEN = compact({ alg: 'RS256', typ: 'JWT' }, CLAIMS, 'c2ln');

const ours = await caught.provider();
const xml = await caught.response(ours);
const metadata = caught.metadataOf(ours.cert);
const captures = [
  ...[xml, base64(xml), TOKEN, JSON.stringify({ event: 'login', reason: 'profile_incomplete' })],
  ...[JSON.stringify(CLAIMS), `{"alg":"RS256"}\n${JSON.stringify(CLAIMS)}`],
  har(posted(xml), entry({ url: `https://a/#id_token=${TOKEN}` })),
  JSON.stringify({ requests: [{ url: 'https://a/', post: [['SAMLResponse', base64(xml)]], saml: xml }] }),
  JSON.stringify({ access_token: 'a', id_token: TOKEN, token_type: 'Bearer', expires_in: 1 }),
  ...['openidLoggedIn/http-alb', 'samlLoggedIn/keycloak-staff'].map((name) =>
    readFileSync(join(EVENTS, `${name}.json`), 'utf8'),
  ),
];

const SIGNS = [...'<>"{[0.&', '', 'null', '<a/>', '\u0000', '\ud800', '-1', '[[]]', '{}'];
/** Cuts a part out, puts it in twice, or puts something else in its place; positions as parts of the whole. */
const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat({ max: 60 }),
  what: fc.oneof(fc.constantFrom(...SIGNS), fc.constant(null), fc.string({ maxLength: 10 })),
});

test('a capture that was changed anywhere', async () => {
  const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 });
  const property = fc.asyncProperty(fc.nat(), mutations, async (which, changes) => {
    let text = captures[which % captures.length] ?? '';
    for (const { at, length, what } of changes) {
      const begin = Math.floor(at * text.length);
      const part = text.slice(begin, begin + length);
      text = text.slice(0, begin) + (what ?? part + part) + text.slice(begin + length);
    }
    const result = await caught.readAll(text, { SAML_ISSUERS }, metadata).catch((error: unknown) => error);
    if (result instanceof UnusableInput) return expect(result.message).not.toBe('');
    for (const { findings } of result as Captured[]) {
      expect(findings).toEqual(inOrder(findings));
      for (const { message } of findings) expect(message).toMatch(/^[A-Z].*\.$/s);
    }
  });
  await fc.assert(property, { numRuns: 300 });
});
