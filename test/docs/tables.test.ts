/** The tables of the pages say what the code says: settings, reasons, rules, responses, exports, records, and what the doctor finds. */
import { glob, readFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse as parsed } from 'valibot';
import { WORDS } from '../../lib/messages/en.ts';
import { ID_TOKEN_CHECKS, judgedToken } from '../../lib/openid/idTokenCheck.ts';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { ADDRESS_PROBLEMS, isAboutProof } from '../../lib/profile/fields/addressChoice.ts';
import { authorizedUserResponse, ErrorResponse, ForbiddenResponse } from '../../lib/profile/response.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import { REASONS, type ReasonCode } from '../../lib/reasons.ts';
import { RULE_CHANGES, reasonRow } from '../../tools/explain/reasons.ts';
import { DEPLOYMENT } from '../../tools/shared/deployment.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { ALL_SETTINGS } from '../../tools/shared/settingNames.ts';
import { answerOf, withFunction } from '../support/bundle.ts';
import { customHandler } from '../support/customHandler.ts';
import { blocksOf, codeIn, tableRows, textOf } from '../support/pages.ts';
import { openIdEvent, overHttp } from '../support/wire.ts';

const SETTINGS = tableRows(await textOf('docs/settings.md'));
const LISTED = SETTINGS.flatMap(([cell]) => codeIn(cell));

/** The settings of the functions, by their variables, with the value of one that is not set. */
const DEFAULTS = Object.entries(readConfiguration('both', {}).settings).map(
  ([name, value]): [string, unknown] => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
    value,
  ],
);

test.each(DEFAULTS)('%s is in the table with its default', (variable, value) => {
  const [row] = SETTINGS.filter(([cell]) => codeIn(cell).includes(variable));
  const isWord = ['string', 'number'].includes(typeof value) || (Array.isArray(value) && value.length > 0);
  expect(codeIn(row?.[1])).toEqual(isWord ? [String(value)] : []);
});

test('the tables have every setting, and no other variable', () => {
  expect(LISTED.toSorted()).toEqual(ALL_SETTINGS.toSorted());
});

test.each(DEPLOYMENT.flatMap(({ variable, unset }) => (unset ? [{ variable, unset }] : [])))(
  'the table has what $variable is in each stage',
  ({ variable, unset: { others, dev, prod } }) => {
    const [row = []] = SETTINGS.filter(([cell]) => codeIn(cell).includes(variable));
    expect(row.slice(1, 4)).toEqual([others, dev, prod].map((value) => `\`${value}\``));
  },
);

/** E.g. `process.env.GRAPH_URL ?? 'https://graph.microsoft.com/v1.0'`. */
const OWN_VARIABLE = /process\.env\.(\w+) \?\? '([^']*)'/g;

test('the page on look-ups has the variables of the worked handlers, with their defaults', async () => {
  const handlers = await Array.fromAsync(glob('handlers/*.ts', { cwd: PROJECT }));
  const read = handlers.map(async (file) => {
    const source = await readFile(join(PROJECT, file), 'utf8');
    expect(source.match(/process\.env/g)?.length ?? 0).toBe(source.match(OWN_VARIABLE)?.length ?? 0);
    const variables = Array.from(source.matchAll(OWN_VARIABLE), ([, ...variable]) => variable);
    return variables.map(([variable, value]) => [variable, parse(file).name, value]);
  });
  const rows = tableRows(await textOf('docs/look-ups.md')).map((cells) => cells.flatMap(codeIn).slice(0, 3));
  const listed = rows.filter(([variable]) => /^[A-Z_]+$/.test(variable ?? ''));
  expect(listed.sort()).toEqual((await Promise.all(read)).flat().sort());
});

const CODES = Object.keys(REASONS) as ReasonCode[];

/** `docs/mappings.md, "Deny a group"` is a link there. */
function linked(text: string): string {
  return text.replaceAll(/docs\/([\w-]+\.md)(?:, "([^"]+)")?/g, (_, page, heading) =>
    heading ? `[${heading}](${page}#${heading.toLowerCase().replaceAll(' ', '-')})` : `[${page}](${page})`,
  );
}

test('the guide has each reason with its status, what it says, and what to change', async () => {
  const rows = CODES.map((code) => {
    const [sentence, change] = reasonRow(code);
    return `| \`${code}\` | ${REASONS[code][0]} | ${sentence} | ${linked(change)} |`.replace('|  |', '| |');
  });
  expect(await textOf('docs/operate.md')).toContain(`${rows.join('\n')}\n\n`);
});

/** The reasons of a message that the function makes itself. */
function reasonsOf(words: string): string[] {
  const own = CODES.filter((code) => REASONS[code][1] === words);
  const ofAddress = Object.entries(ADDRESS_PROBLEMS)
    .filter(([, problem]) => problem.words === words)
    .map(([problem]) => (isAboutProof(problem) ? 'email_unverified' : 'profile_incomplete'));
  const ofRule = words === 'forbidden' || Object.hasOwn(RULE_CHANGES, words) ? ['rule_refused'] : [];
  const ofProfile = words === 'not_sent' ? ['profile_incomplete'] : [];
  return [...new Set([...own, ...ofAddress, ...ofRule, ...ofProfile])];
}

const PARTS = ['email', 'first_name', 'last_name', 'and', 'reference'];

test('the guide has each message, with the reasons that it stands for', async () => {
  const rows = Object.entries(WORDS)
    .filter(([words]) => !PARTS.includes(words))
    .map(
      ([words, text]) =>
        `| "${text}" | ${reasonsOf(words)
          .map((code) => `\`${code}\``)
          .join(', ')} |`,
    );
  expect(await textOf('docs/operate.md')).toContain(`${rows.join('\n')}\n\n`);
});

test('the page for HTTP callers has each status, and no other', async () => {
  const page = await textOf('docs/connect.md');
  const table = page.slice(page.indexOf('| status |'));
  const rows = tableRows(table.slice(0, table.indexOf('\n\n'))).slice(2);
  const statuses = new Set(Object.values(REASONS).map(([status]) => String(status)));
  expect(rows.map(([status]) => status)).toEqual([...statuses].sort());
});

test('the guide has a row for each rule, and for no other', async () => {
  const [, section = ''] = (await textOf('docs/mappings.md')).split('\n## Rules\n');
  const [table = ''] = section.trimStart().split('\n\n');
  const keys = Array.from(table.matchAll(/(?:^\| |SAML mapping )`\{ (\w+): /gm), ([, key]) => key);
  expect([...new Set(keys)].sort()).toEqual(Object.keys(RULE_CHANGES).sort());
});

/** The first text that makes a finding. */
const FINDING =
  /(?:\b(?:error|warning|note|missing|found|askProvider)\)?\((?:[^'()]|\([^()]*\))*|INCONCLUSIVE = )'([a-z\d_]+)'/g;

test('the page has each code of the doctor, and no other', async () => {
  const files = await Array.fromAsync(glob('tools/doctor/*.ts', { cwd: PROJECT }));
  const sources = await Promise.all(files.map(textOf));
  const codes = sources.flatMap((source) => Array.from(source.matchAll(FINDING), ([, code]) => code));
  const page = await textOf('docs/doctor.md');
  const listed = tableRows(page.slice(page.indexOf('## Codes'))).flatMap(([cell]) => codeIn(cell));
  expect(listed.length).toBeGreaterThan(10);
  expect(listed.sort()).toEqual([...new Set(codes)].sort());
});

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
  export default async (event) => {
    const { says } = event.id_token.other_claims;
    if (says === 'throw') throw new Error('no');
    if (says !== 'stray') return says;
    setTimeout(() => { throw new Error('late'); });
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { type: 'ForbiddenResponse' };
  };`;

function loginWith(otherClaims: Record<string, unknown>) {
  const event = openIdEvent();
  event.idToken.otherClaims = otherClaims;
  return event;
}

test('the records of many kinds of logins have the promised fields, and no other', async () => {
  const authorized = { type: 'AuthorizedUserResponse', first_name: 'A', last_name: 'B', email: 'a@b.c' };
  const grouped = { ...authorized, user_group_uuids: ['5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30'], more: 1 };
  const kinds = [authorized, grouped, { type: 'ForbiddenResponse' }, 'throw', 'stray', 7];
  const events = [
    ...[openIdEvent(), loginWith({}), { selfTest: true }, { no: 'event' }, overHttp('x'.repeat(300_000))],
    ...kinds.map((says) => loginWith({ says })),
  ];
  const nearIssuer = '{"https://idp.example.org/":{"audiences":["client-1"]}}';
  const functions = [
    {},
    { OPENID_HANDLER_MODULE: await customHandler(OBEYING) },
    { OPENID_HANDLER_MODULE: 'handlers/none' },
    { OPENID_TOKEN_CHECK: 'on', OPENID_ISSUERS: nearIssuer },
  ];
  const unseen = new Set(RECORDS.keys());
  for (const env of functions) {
    const records = await withFunction('openidLoggedIn', { env }, async (fn) => {
      for (const event of events) await answerOf(fn, event);
      return fn.records();
    });
    for (const { event, level, ...fields } of records) {
      const { always, sometimes } = RECORDS.get(String(event)) ?? { always: [], sometimes: [] };
      unseen.delete(String(event));
      const names = Object.keys(fields);
      expect({ event, names }).toEqual({ event, names: expect.arrayContaining(always) });
      expect([...always, ...sometimes]).toEqual(expect.arrayContaining(names));
    }
  }
  expect([...unseen]).toEqual([]);
});

test('the log record on the page has promised fields', async () => {
  const record = (await blocksOf('docs/operate.md')).find(({ text }) => text.startsWith('{"event":"login"'));
  const { event, ...fields } = JSON.parse(record?.text ?? '');
  const { always = [], sometimes = [] } = RECORDS.get(event) ?? {};
  const names = Object.keys(fields);
  expect(names).toEqual(expect.arrayContaining(always));
  expect([...always, ...sometimes]).toEqual(expect.arrayContaining(names));
  expect(fields.status).toBe(REASONS[fields.reason as ReasonCode][0]);
});

test('what a check of an ID token tells is among the promised fields', () => {
  const event = parsed(OpenIdUserLoggedInEvent, openIdEvent());
  const signed = { protectedHeader: { alg: 'RS256' }, payload: {} };
  const token = judgedToken(signed, event, { openidIssuers: new Map(), clockSkewSeconds: 0 }, 0);
  const told = ID_TOKEN_CHECKS.flatMap(({ details }) => Object.keys(details?.(token) ?? {}));
  expect(RECORDS.get('login')?.sometimes).toEqual(expect.arrayContaining(told));
});
