/** What a handler of code read of its event: by claim or attribute, with the value, in the order of the code. */
import { afterAll, expect, test } from '@jest/globals';
import { moduleOf } from '../../tools/bundle/handlers.ts';
import { cardOf } from '../../tools/explain/card.ts';
import { type AnsweredLogin, explanationOf } from '../../tools/explain/explanation.ts';
import { type HandlerReads, readsOf } from '../../tools/explain/reads.ts';
import { Engine } from '../../tools/local/engine.ts';
import type { Requests } from '../../tools/local/recordings.ts';
import { customHandler } from '../support/customHandler.ts';
import { sampleEvent } from '../support/projectSamples.ts';
import { httpServer, sendJson } from '../support/servers.ts';
import type { openIdEvent } from '../support/wire.ts';

const requests: string[] = [];
const server = await httpServer(({ url = '' }, response) => {
  requests.push(url);
  sendJson(response, { department: 'physics' });
});
const handlers = new Map<string, string>();

/** What each handler makes its message of. */
const MESSAGES = (url: string) => ({
  claims: `({ id_token: { iss, other_claims } }) =>
    [iss === 0, other_claims.no_such_claim, JSON.stringify(other_claims.realm_access)].join()`,
  asking: `async ({ id_token }) => (await (await fetch('${url}/' + id_token.sub)).json()).department`,
  reference: "({ id_token }) => id_token.sub + ' {reference}'",
  chance: '({ id_token }) => id_token.sub + Math.random()',
  clone: "(event) => (structuredClone(event), '')",
  nothing: "() => ''",
  parts: '({ id_token }) => id_token.other_claims.teams.map(({ name }) => name).join()',
  attribute: "({ assertion }) => assertion.attribute_statement.find(({ name }) => name === 'Role').value",
  values: "(event) => attributeValues(event, 'Role').join()",
  names: "({ assertion }) => assertion.attribute_statement.filter(({ name }) => name === 'x').join()",
});

/** The pattern of the guide: code around a mapping. */
const AROUND = `import { mapOpenIdLogin } from 'login-hooks';
  const map = mapOpenIdLogin({ rules: [{ email_domains: ['example.edu'] }, { claim: 'locked', is: [true] }] });
  export default (event) => {
    const { nickname } = event.id_token.other_claims;
    return map(event).type === 'ForbiddenResponse'
      ? { type: 'ErrorResponse', message: 'Ask ' + nickname }
      : { type: 'ForbiddenResponse' };
  };`;

for (const [name, message] of Object.entries(MESSAGES(server.url))) {
  const code = `import { attributeValues } from 'login-hooks';
    const messageOf = ${message};
    export default async (event) => ({ type: 'ForbiddenResponse', message: await messageOf(event) });`;
  handlers.set(name, await customHandler(code, '.ts'));
}
handlers.set('around', await customHandler(AROUND, '.ts'));
const engine = await Engine.open({ handlers: [...handlers.values()] });
afterAll(async () => {
  await engine.close();
  await server.close();
});

async function explained(
  handler: string,
  functionName = 'openidLoggedIn',
  name = 'keycloak-nested-roles',
  requests: Requests = 'live',
) {
  const event = (await sampleEvent(functionName, name)) as Partial<ReturnType<typeof openIdEvent>>;
  Object.assign(event.idToken?.otherClaims ?? {}, { teams: [{ name: 'physics' }, {}] });
  const handlerModule = moduleOf(handlers.get(handler) ?? handler);
  const question = { functionName, handlerModule, isChecked: false, event, frozenTime: null };
  const answered = await engine.invoke({ ...question, requests });
  const login: AnsweredLogin = { answered, event, functionName };
  const reads = await readsOf(login, engine);
  const explanation = explanationOf(login);
  return { ...explanation, reads, card: cardOf(explanation, { reads }) };
}

async function readsBy(...given: Parameters<typeof explained>) {
  return (await explained(...given)).reads;
}

const linesOf = (reads: HandlerReads | null) => reads?.reads.map(({ name, text }) => `${name}: ${text}`);

const ROLES = 'default-roles-campus, offline_access, data-steward, uma_authorization';
const CLAIMS = [
  'iss: https://sso.example.edu/realms/campus',
  'no_such_claim: null',
  `realm_access.roles: ${ROLES}`,
];

test.each([
  ['claims', CLAIMS],
  ['reference', [expect.stringMatching(/^sub: /)]],
  ['parts', ['teams.name: physics']],
])('of an ID token: %s', async (handler, lines) => {
  expect(linesOf(await readsBy(handler))).toEqual(lines);
});

test.each([
  ['attribute', ['Role: offline_access']],
  ['values', ['Role: offline_access, uma_authorization, staff, default-roles-campus, manage-account']],
  ['names', []],
])('of an assertion, whose attributes are searched by name: %s', async (handler, lines) => {
  expect(linesOf(await readsBy(handler, 'samlLoggedIn', 'keycloak-staff'))).toEqual(lines);
});

test('other systems are asked once', async () => {
  expect(linesOf(await readsBy('asking'))).toEqual([expect.stringMatching(/^sub: /)]);
  expect(requests).toHaveLength(1);
});

test('a second run gets the recordings that responded to the first', async () => {
  const login = ['asking', 'openidLoggedIn', 'keycloak-nested-roles'] as const;
  const { recordings } = (await explained(...login)).answered.requests;
  const before = requests.length;
  const { reads } = await explained(...login, recordings);
  expect([linesOf(reads), reads?.problem]).toEqual([[expect.stringMatching(/^sub: /)], null]);
  expect(requests).toHaveLength(before);
});

test.each([
  ['chance', /ended differently, so nothing is shown/],
  ['clone', /ended differently \(handler_threw, not forbidden\), so nothing is shown/],
])('nothing is told where the second run ends differently: %s', async (handler, problem) => {
  expect(await readsBy(handler)).toEqual({ reads: [], problem: expect.stringMatching(problem) });
});

test('a mapping that code calls is explained as any other, and the code by what it read beside it', async () => {
  const { reads, fields, rules, card, decided } = await explained('around');
  expect(linesOf(reads)).toEqual(['nickname: null']);
  expect(fields.find(({ field }) => field === 'email')?.value).toBe('katherine.johnson@example.edu');
  expect(rules.map(({ verdict, text }) => [verdict, text])).toEqual([
    ['allows', '["example.edu"]'],
    ['refuses', '"locked", is [true]'],
  ]);
  expect(decided).toBe('rule_refused');
  const told = card.map(({ title, text }) => `${title}: ${text}`);
  expect(told).toContain('Rule: rules[1].claim');
  expect(told).toContain('Expected: claim "locked", is [true]');
});

test('nothing is noted of a mapping, and of an event that no handler gets', async () => {
  expect(await readsBy('handlers/keycloak-roles')).toBeNull();
  expect(await readsBy('nothing', 'openidLoggedIn', 'http-invalid-event')).toBeNull();
});

test.each(['token_expired', 'keys_unavailable', 'assertion_expired', 'handler_timed_out'])(
  'nothing is noted of a login that ended with %s',
  async (reason) => {
    const { answered, ...login } = await explained('nothing');
    const records = answered.records.map((one) => (one.event === 'login' ? { ...one, reason } : one));
    expect(await readsOf({ ...login, answered: { ...answered, records } }, engine)).toBeNull();
  },
);
