/** The record of each authorized login: by which policy, and no value of the event. */
import { createHash, createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { answerOf, type BundleOptions, withFunction } from '../support/bundle.ts';
import { customHandler } from '../support/customHandler.ts';
import { PROBE_BUNDLE, PROBE_SDK } from '../support/probeBundle.ts';
import { openIdEvent } from '../support/wire.ts';

const { outdir: root } = PROBE_BUNDLE;
const STAFF = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const OWN = '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11';
const ISSUER = 'https://idp.example.org';
const KEY = 'k'.repeat(32);
const RULES = `rules: [{ email_domains: ['example.org'] }]`;
const GROUPS = `groups: { from: ['groups'], table: [{ group: 'staff', uuid: '${STAFF}' }] }`;
const sha256 = (text: string | Buffer) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const mapped = (mapping: string) =>
  customHandler(`import { mapOpenIdLogin } from '${PROBE_SDK}'; export default mapOpenIdLogin(${mapping});`);

interface Grants {
  grants: Record<string, unknown>[];
  output: string;
}

/** What is recorded of each event. */
function recorded(env: BundleOptions['env'], events: unknown[] = [person()]): Promise<Grants> {
  return withFunction('openidLoggedIn', { env: { GRANT_RECORDS: 'on', ...env }, root }, async (fn) => {
    for (const event of events) await answerOf(fn, event);
    return { grants: fn.records().filter(({ event }) => event === 'grant'), output: fn.output() };
  });
}

function person(claims: Record<string, unknown> = { groups: ['staff'] }) {
  const event = openIdEvent();
  Object.assign(event.idToken.otherClaims, claims);
  return event;
}

test('of a mapping has the rules that allowed the login, and the rows that gave its groups', async () => {
  const module = await mapped(`{ ${RULES}, ${GROUPS} }`);
  const { grants, output } = await recorded({ OPENID_HANDLER_MODULE: module });
  const policy = `{"groups":{"from":["groups"],"table":[{"group":"staff","uuid":"${STAFF}"}]},"rules":[{"email_domains":["example.org"]}]}`;
  expect(grants).toEqual([
    {
      level: 'INFO',
      event: 'grant',
      requestId: expect.any(String),
      function: 'openidLoggedIn',
      handler: module,
      issuer: ISSUER,
      policy: sha256(policy),
      rules: ['rules[0].email_domains'],
      groups: { [STAFF]: ['groups.table[0]'] },
      groupCount: 1,
    },
  ]);
  expect(output).not.toMatch(/ada|lovelace|subject-1|"staff"/i);
});

test('has the same digest for the same mapping in another order, and another one for another mapping', async () => {
  const policies = [];
  for (const mapping of [`{ ${RULES}, ${GROUPS} }`, `{ ${GROUPS}, ${RULES} }`, `{ ${GROUPS} }`]) {
    const { grants } = await recorded({ OPENID_HANDLER_MODULE: await mapped(mapping) });
    policies.push(grants[0]?.policy);
  }
  expect(policies[1]).toBe(policies[0]);
  expect(policies[2]).not.toBe(policies[0]);
});

test('of code has the digest of its file, and no row for the groups that the code gives', async () => {
  const module = await customHandler(`
    import { mapOpenIdLogin } from '${PROBE_SDK}';
    const campus = mapOpenIdLogin({ ${RULES}, ${GROUPS} });
    export default async (event) => {
      const response = campus(event);
      return { ...response, user_group_uuids: [...response.user_group_uuids, '${OWN}'] };
    };`);
  const { grants } = await recorded({ OPENID_HANDLER_MODULE: module });
  expect(grants).toMatchObject([
    {
      policy: sha256(await readFile(module)),
      rules: ['rules[0].email_domains'],
      groups: { [STAFF]: ['groups.table[0]'], [OWN]: [] },
      groupCount: 2,
    },
  ]);
});

test('of code alone names no rule, and at most 100 groups', async () => {
  const module = await customHandler(`
    const uuids = Array.from({ length: 150 }, (_, n) => '${OWN}'.slice(0, -3) + (n + 100));
    export default () => ({
      type: 'AuthorizedUserResponse', first_name: 'A', last_name: 'B', email: 'a@b', user_group_uuids: uuids });`);
  const { grants } = await recorded({ OPENID_HANDLER_MODULE: module });
  expect(grants).toMatchObject([{ rules: [], groupCount: 150 }]);
  expect(Object.keys(grants[0]?.groups as object)).toHaveLength(100);
});

test('is written of authorized logins alone', async () => {
  const { grants } = await recorded({}, [person({ email: undefined }), { no: 'event' }, person()]);
  expect(grants).toMatchObject([{ policy: 'default', rules: [], groups: {}, groupCount: 0 }]);
});

test('is not written where no setting asks for it', async () => {
  expect((await recorded({ GRANT_RECORDS: 'off' })).grants).toEqual([]);
});

test.each<[string, Record<string, string>, string]>([
  ['address', {}, 'ada@example.org'],
  ['identifier', { OPENID_EXTERNAL_ID: 'sub' }, 'subject-1'],
])('hashes the issuer and the %s of a person by the key of a secret', async (_, env, text) => {
  const SECRETS_FILE = await customHandler(JSON.stringify({ people: KEY }), '.json');
  const { grants } = await recorded({ ...env, SECRETS_FILE, GRANT_RECORDS_SECRET_ID: 'people' });
  const hash = createHmac('sha256', KEY).update(`["${ISSUER}","${text}"]`).digest('hex');
  expect(grants).toMatchObject([{ person: hash }]);
});

test.each<[string, object, string]>([
  ['is not there', {}, 'secret_not_found'],
  ['is too short', { people: KEY.slice(1) }, 'secret_unusable'],
])('lets a person in whose key %s, and says why nobody is named', async (_, secrets, reason) => {
  const SECRETS_FILE = await customHandler('{}', '.json');
  await writeFile(SECRETS_FILE, JSON.stringify(secrets));
  const { grants } = await recorded({ SECRETS_FILE, GRANT_RECORDS_SECRET_ID: 'people' });
  expect(grants).toMatchObject([{ event: 'grant', personLeftOut: reason }]);
  expect(grants[0]).not.toHaveProperty('person');
});

test('after a failure, no login waits for the key for some seconds', async () => {
  const SECRETS_FILE = await customHandler('{}', '.json');
  const env = { GRANT_RECORDS: 'on', GRANT_RECORDS_SECRET_ID: 'people', SECRETS_FILE };
  await withFunction('openidLoggedIn', { env, root }, async (fn) => {
    await answerOf(fn, person());
    await writeFile(SECRETS_FILE, JSON.stringify({ people: KEY }));
    await answerOf(fn, person());
    const left = fn.records().flatMap((record) => (record.event === 'grant' ? [record.personLeftOut] : []));
    expect(left).toEqual(['secret_not_found', 'secret_not_found']);
  });
});

test('the self-test says whether the key can be used', async () => {
  const SECRETS_FILE = await customHandler(JSON.stringify({ people: 'short' }), '.json');
  const env = { SECRETS_FILE, GRANT_RECORDS: 'on', GRANT_RECORDS_SECRET_ID: 'people' };
  await withFunction('openidLoggedIn', { env }, async (fn) => {
    expect(await fn.invoke({ selfTest: true })).toMatchObject({
      ok: false,
      secrets: { people: 'secret_unusable' },
    });
  });
});
