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

const OPENID = ['openidLoggedIn', 'keycloak-nested-roles'] as const;
const SAML = ['samlLoggedIn', 'keycloak-staff'] as const;

async function explained(
  handler: string,
  [functionName, name]: readonly [functionName: string, name: string] = OPENID,
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

const linesOf = (reads: HandlerReads | null) =>
  typeof reads === 'string' ? reads : reads?.map(({ name, text }) => `${name}: ${text}`);

const ROLES = 'default-roles-campus, offline_access, data-steward, uma_authorization';
const CLAIMS = [
  'iss: https://sso.example.edu/realms/campus',
  'no_such_claim: null',
  `realm_access.roles: ${ROLES}`,
];

const SUB = [expect.stringMatching(/^sub: /)];
/** The attributes of an assertion are searched by name. */
const VALUES = ['Role: offline_access, uma_authorization, staff, default-roles-campus, manage-account'];

test.each([
  ['claims', OPENID, CLAIMS],
  ['reference', OPENID, SUB],
  ['parts', OPENID, ['teams.name: physics']],
  ['attribute', SAML, ['Role: offline_access']],
  ['values', SAML, VALUES],
  ['names', SAML, []],
] as const)('what the handler %s reads of %j', async (handler, login, lines) => {
  expect(linesOf(await readsBy(handler, login))).toEqual(lines);
});

test('other systems are asked once, and not at all where their responses are recorded', async () => {
  const { reads, answered } = await explained('asking');
  expect([linesOf(reads), requests.length]).toEqual([SUB, 1]);
  const again = await explained('asking', OPENID, answered.requests.recordings);
  expect([linesOf(again.reads), requests.length]).toEqual([SUB, 1]);
});

test.each([
  ['chance', /ended differently, so nothing is shown/],
  ['clone', /ended differently \(handler_threw, not forbidden\), so nothing is shown/],
])('nothing is told where the second run ends differently: %s', async (handler, problem) => {
  expect(await readsBy(handler)).toMatch(problem);
});

test('a mapping that code calls is explained as any other, and the code by what it read beside it', async () => {
  const { reads, rules, card, decided } = await explained('around');
  expect(linesOf(reads)).toEqual(['nickname: null']);
  expect(rules.map(({ verdict }) => verdict)).toEqual(['allows', 'refuses']);
  expect(decided).toBe('rule_refused');
  const told = card.map(({ title, text }) => `${title}: ${text}`);
  expect(told).toContain('Rule: rules[1].claim');
  expect(told).toContain('Expected: claim "locked", is [true]');
});

test('nothing is noted of a mapping, and of an event that no handler gets', async () => {
  expect(await readsBy('handlers/keycloak-roles')).toBeNull();
  expect(await readsBy('nothing', ['openidLoggedIn', 'http-invalid-event'])).toBeNull();
});

test.each(['token_expired', 'keys_unavailable', 'assertion_expired', 'handler_timed_out'])(
  'nothing is noted of a login that ended with %s',
  async (reason) => {
    const { answered, ...login } = await explained('nothing');
    const records = answered.records.map((one) => (one.event === 'login' ? { ...one, reason } : one));
    expect(await readsOf({ ...login, answered: { ...answered, records } }, engine)).toBeNull();
  },
);
