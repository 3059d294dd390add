/** What a version promises, as the pages list it, is what there is. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'valibot';
import { ID_TOKEN_CHECKS, judgedToken } from '../../lib/openid/idTokenCheck.ts';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { authorizedUserResponse, ErrorResponse, ForbiddenResponse } from '../../lib/profile/response.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { answerOf, withFunction } from '../support/bundle.ts';
import { customHandler } from '../support/customHandler.ts';
import { codeIn, tableRows, textOf } from '../support/pages.ts';
import { openIdEvent, overHttp } from '../support/wire.ts';

const RESPONSES = tableRows(await textOf('docs/connect.md'));
const ROWS = tableRows(await textOf('docs/operate.md'));

const AuthorizedUserResponse = authorizedUserResponse([]);

test.each(Object.entries({ AuthorizedUserResponse, ForbiddenResponse, ErrorResponse }))(
  '%s has the fields that are promised',
  (type, { entries }) => {
    const [, fields] = RESPONSES.find(([cell]) => codeIn(cell).includes(type)) ?? [];
    expect(['type', ...codeIn(fields)]).toEqual(Object.keys(entries));
  },
);

/** `import type` and types of one file beside values are all exports here. */
const NAMES = /^export (?:async function|function|const|type|interface|class) (\w+)/gm;
const LISTS = /^export (?:type )?\{([^}]*)\}/gm;

test('the guide to handlers has what login-hooks exports, and nothing else', async () => {
  const source = await readFile(join(PROJECT, 'lib', 'sdk.ts'), 'utf8');
  const listed = Array.from(source.matchAll(LISTS), ([, names = '']) => names.split(','))
    .flat()
    .map((name) => name.replace(/^\s*type /, '').trim())
    .filter(Boolean);
  // An overloaded function stands there several times.
  const declared = Array.from(source.matchAll(NAMES), ([, name = '']) => name);
  const page = await textOf('docs/handlers.md');
  const part = page.slice(page.indexOf('## What `login-hooks` exports'), page.indexOf('## Worked handlers'));
  const promised = tableRows(part).flatMap(([cell]) => codeIn(cell));
  expect(promised.map((name) => name.replace(/\(.*/, '')).sort()).toEqual(
    [...new Set([...listed, ...declared])].sort(),
  );
});

const FIRST_RECORD = ROWS.findIndex(([cell]) => cell === '`event`') + 2;
const RECORDS = new Map(
  ROWS.slice(FIRST_RECORD, FIRST_RECORD + 4).map(([name, fields = '']) => {
    const [always = '', sometimes = ''] = fields.split('(');
    return [codeIn(name)[0] ?? '', { always: codeIn(always), sometimes: codeIn(sometimes) }];
  }),
);

/** Answers with what its event says, as JSON in a claim. */
const OBEYING = `
  export default (event) => {
    const { says } = event.id_token.other_claims;
    if (says === 'throw') throw new Error('no');
    if (says === 'stray') setTimeout(() => { throw new Error('late'); });
    return says === 'stray' ? { type: 'ForbiddenResponse' } : says;
  };`;

test('the records of many kinds of logins have the promised fields, and no other', async () => {
  const authorized = { type: 'AuthorizedUserResponse', first_name: 'A', last_name: 'B', email: 'a@b.c' };
  const grouped = { ...authorized, user_group_uuids: ['5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30'], more: 1 };
  const kinds = [authorized, grouped, { type: 'ForbiddenResponse' }, 'throw', 'stray', 7];
  const seen: Record<string, unknown>[] = [];
  const handlers = [{}, { OPENID_HANDLER_MODULE: await customHandler(OBEYING) }];
  for (const env of handlers) {
    await withFunction('openidLoggedIn', { env }, async (fn) => {
      for (const says of kinds) {
        const event = openIdEvent();
        Object.assign(event.idToken.otherClaims, { says });
        await answerOf(fn, event);
      }
      const tooLarge = overHttp('x'.repeat(300_000));
      for (const event of [{ selfTest: true }, { no: 'event' }, incomplete(), tooLarge])
        await answerOf(fn, event);
      seen.push(...fn.records());
    });
  }
  const nearIssuer = '{"https://idp.example.org/":{"audiences":["client-1"]}}';
  const unready = { OPENID_HANDLER_MODULE: 'handlers/none' };
  for (const env of [unready, { OPENID_TOKEN_CHECK: 'on', OPENID_ISSUERS: nearIssuer }]) {
    await withFunction('openidLoggedIn', { env }, async (fn) => {
      await answerOf(fn, openIdEvent());
      seen.push(...fn.records());
    });
  }
  const unseen = new Set(RECORDS.keys());
  for (const { event, level, ...fields } of seen) {
    const promised = RECORDS.get(String(event)) ?? { always: [], sometimes: [] };
    unseen.delete(String(event));
    expect({ event, fields: Object.keys(fields) }).toEqual({
      event,
      fields: expect.arrayContaining(promised.always),
    });
    expect([...promised.always, ...promised.sometimes]).toEqual(expect.arrayContaining(Object.keys(fields)));
  }
  expect([...unseen]).toEqual([]);
});

test('what a check of an ID token tells is among the promised fields', () => {
  const event = parse(OpenIdUserLoggedInEvent, openIdEvent());
  const signed = { protectedHeader: { alg: 'RS256' }, payload: {} };
  const token = judgedToken(signed, event, { openidIssuers: new Map(), clockSkewSeconds: 0 }, 0);
  const told = ID_TOKEN_CHECKS.flatMap(({ details }) => Object.keys(details?.(token) ?? {}));
  expect(RECORDS.get('login')?.sometimes).toEqual(expect.arrayContaining(told));
});

function incomplete() {
  const event = openIdEvent();
  event.idToken.otherClaims = {};
  return event;
}

test('the CHANGELOG has the version of package.json', async () => {
  const { version } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'));
  expect(await textOf('CHANGELOG.md')).toContain(`\n## ${version.replace(/-rc\.\d+$/, '')} - `);
});
