/** The commands that judge, in a project of an operator's own: each green says that the policy in force was asked, and refused somebody. */
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { configurationOf, handlerOf, type OwnTools, ownTools } from '../support/ownProject.ts';
import { openIdEvent } from '../support/wire.ts';

const ISSUER = 'https://sso.example.edu/realms/campus';
const MAPPING: Mapping = {
  issuers: { [ISSUER]: {} },
  rules: [{ no_group: ['/locked'] }],
  groups: {
    from: ['groups'],
    table: [{ group: '/staff', uuid: '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30' }],
  },
};

function event(groups: string[], issuer = ISSUER): string {
  const wire = openIdEvent();
  wire.idToken.iss = issuer;
  Object.assign(wire.idToken.otherClaims, { groups });
  return JSON.stringify(wire);
}

const EVENTS = 'events/openidLoggedIn';
const HANDLER = 'handlers/campus.ts';
const ENV = '.env.dev';
const STAFF = `${EVENTS}/staff.json`;
const LOCKED = `${EVENTS}/locked.json`;
const OTHER = `${EVENTS}/other-realm.json`;
const ALL = [STAFF, LOCKED, OTHER];
const beside = (file: string, what: string) => file.replace('.json', `.${what}.json`);
const expectedOf = (file: string) => beside(file, 'expected');
/** Files, each with the same content made of its path. */
const filesOf = <TContent>(paths: readonly string[], contentOf: (path: string) => [string, TContent]) =>
  Object.fromEntries(paths.map(contentOf));

let project: OwnTools;
beforeAll(async () => {
  project = await ownTools({
    'serverless.yml': configurationOf('openid: {handler: handlers/campus, issuers: any}'),
    [HANDLER]: handlerOf(MAPPING),
    [STAFF]: event(['/staff']),
    [LOCKED]: event(['/locked/for-good']),
    [OTHER]: event(['/staff'], 'https://sso.example.edu/realms/guests'),
  });
  await project.run(['check', '--update']);
}, 60_000);
afterAll(() => project.remove());

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);
const codesIn = (text: string) =>
  Array.from(text.matchAll(/^(?:error|warning) +(\w+)/gm), ([, code]) => code);
/** Without it, `test` does not run the compiler. */
const UNTYPED = { 'tsconfig.json': null };
const lockd = handlerOf({ ...MAPPING, rules: [{ no_group: ['/lockd'] }] });

const IN_FORCE =
  'openidLoggedIn: handlers/campus (serverless.yml) answers, and refuses 2 of 3 events\n3 of 3 events as expected';

const TESTED =
  /, every rule and table row hit, \d+ attacks refused, 0 got in that must not, \d+ that no rule forbids, 0 not tested\n$/;
test.each([
  ['test', TESTED],
  ['check events/', /^openidLoggedIn\/staff +handlers\/campus +Authorized/m],
  ['verify --try', /^openidLoggedIn: handler handlers\/campus, callers iam/],
])('%s says what answers, and whom it refuses', async (command, told) => {
  const { status, stdout, stderr } = await project.run(command.split(' '));
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(told);
  expect(stdout).toContain(IN_FORCE);
});

test.each(['check', 'verify', 'verify --try'])(
  '%s tells once what is odd about a mapping',
  async (command) => {
    const odd = handlerOf({ ...MAPPING, issuers: 'any', rules: [{ no_group: ['/locked', 'off*'] }] });
    const { stdout, stderr } = await project.changed({ [HANDLER]: odd }, command.split(' '));
    const warnings = codesIn(stdout).filter((code) => code === 'mapping_warning');
    expect([warnings, stderr]).toEqual([['mapping_warning'], '']);
    expect(stdout).toMatch(/^note +any_issuer +handlers\/campus$/m);
  },
);

test('an event that is new is answered by the handler in force, and told once its response is written', async () => {
  const added = { [`${EVENTS}/new.json`]: event(['/locked']) };
  const tested = await project.changed({ ...added, ...UNTYPED }, ['test']);
  expect(codesIn(tested.stdout)).toEqual(['not_expected']);
  const { stdout } = await project.changed(added, ['check', 'openidLoggedIn/new', '--update']);
  expect(stdout).toMatch(/^note +written +openidLoggedIn\/new\n/m);
  await rm(join(project.folder, EVENTS, 'new.expected.json'));
});

test.each(['events/new.json', 'events/openIdLoggedIn/new.json'])(
  'an event in no folder of a function is not passed over: %s',
  async (file) => {
    const { status, stderr } = await project.changed({ [file]: event(['/staff']) }, ['check']);
    expect(stderr).toContain(`${file}: expected this file in the folder events/openidLoggedIn`);
    expect(status).toBe(2);
  },
);

test('a misspelled key of an expected response does not leave the handler out', async () => {
  const file = `${EVENTS}/staff.expected.json`;
  const misspelled = '{"handlr": "handlers/campus", "status": 200, "answer": {"type": "ErrorResponse"}}';
  const { status, stderr } = await project.changed({ [file]: misspelled }, ['check']);
  expect(stderr).toContain(`${file}: handlr: expected only handler, status, answer, mayBe`);
  expect(status).toBe(2);
});

const INVALID = handlerOf({ ...MAPPING, rules: [{ email_domains: ['no domain'] }] });
test.each([
  ['a mapping that does not load', INVALID],
  ['a handler that throws', "export default () => { throw new Error('x'); };"],
])('%s is told, and nothing that only follows of it', async (_, handler) => {
  const attacked = await project.changed({ [HANDLER]: handler }, ['check', '--attack']);
  expect([attacked.status, codesIn(attacked.stdout)]).toEqual([1, []]);
});

test('what is wrong with a mapping is told without its code and its stack', async () => {
  const verified = await project.changed({ [HANDLER]: INVALID }, ['verify']);
  expect(verified.stderr).toContain('rules[0].email_domains[0]: expected a domain');
  expect(verified.stderr).not.toMatch(/mapping_invalid|^\s*}$/m);
});

test('the default handler in force is a line, and no guard where all events expect another', async () => {
  const { status, stdout } = await project.changed({ [ENV]: 'OPENID_HANDLER_MODULE=default\n' }, ['check']);
  expect(stdout).toContain(
    'openidLoggedIn: the default handler (.env.dev) answers: everybody with a complete profile gets in\n',
  );
  expect([status, codesIn(stdout)]).toEqual([1, ['handler_not_compared']]);
});

test('the default handler can be asked in the place of the one in force', async () => {
  const args = ['--handler', 'default'];
  const one = await project.run(['login', 'openid', 'openidLoggedIn/locked', ...args]);
  expect(JSON.parse(one.stdout).type).toBe('AuthorizedUserResponse');
  const all = await project.run(['check', ...args]);
  const last = '0 of 0 events as expected, 3 not compared (they expect another handler)';
  expect([all.status, lastLine(all.stdout)]).toEqual([0, last]);
});

describe('a handler in force is no guard', () => {
  const [ANOTHER, ON_LAMBDA] = ['handlers/other', '/opt/own'];
  const inForce = (module: string) => ({ [ENV]: `OPENID_HANDLER_MODULE=${module}\n` });

  test('where check compares no event with it', async () => {
    const files = { ...inForce(ANOTHER), 'handlers/other.ts': handlerOf(MAPPING) };
    const { status, stdout } = await project.changed(files, ['check']);
    expect([status, codesIn(stdout)]).toEqual([1, ['handler_not_compared']]);
  });

  test('where it refuses nobody', async () => {
    const none = [LOCKED, OTHER].flatMap((file) => [file, expectedOf(file)]);
    const files = filesOf(none, (file) => [file, null]);
    const { status, stdout } = await project.changed(files, ['verify', '--try']);
    expect([status, codesIn(stdout)]).toEqual([1, ['refuses_nobody']]);
  });

  test('where it refuses only events that are not valid', async () => {
    const invalid = JSON.stringify({ idToken: {} });
    const answer = { status: 422, answer: { type: 'ErrorResponse' }, handler: 'handlers/campus' };
    const gone = { [LOCKED]: null, [expectedOf(LOCKED)]: null };
    const files = { ...gone, [OTHER]: invalid, [expectedOf(OTHER)]: JSON.stringify(answer) };
    const { status, stdout } = await project.changed(files, ['check', '--update']);
    expect([status, codesIn(stdout)]).toEqual([1, ['refuses_nobody']]);
  });

  test('but one of a layer is compared by --handler, and told otherwise', async () => {
    const expected = JSON.stringify({ handler: ON_LAMBDA, status: 200, answer: { type: '' } });
    const files = { ...inForce(ON_LAMBDA), ...filesOf(ALL, (file) => [expectedOf(file), expected]) };
    const told = await project.changed(files, ['check']);
    expect(told.stdout).toContain('/opt/own (.env.dev) answers, on Lambda only, and was not compared');
    const last = '3 not compared: their handler is on Lambda only';
    expect([told.status, lastLine(told.stdout)]).toEqual([0, last]);
    const compared = await project.changed(files, ['check', '--handler', HANDLER]);
    expect([compared.status, lastLine(compared.stdout)]).toEqual([1, '0 of 3 events as expected']);
  });
});

const CODE = `export default () =>
  ({ type: 'AuthorizedUserResponse', first_name: 'Ada', last_name: 'L', email: 'ada@example.org' });\n`;
test.each([
  ['which the configuration says aloud of it is told of', 'note', 'handlers/campus'],
  ['of which it does not say so is an error', 'error', 'handlers/other'],
])('a handler of code that takes any issuer, %s: %s another issuer of %s', async (_, level, module) => {
  const files = { [`${module}.ts`]: CODE, [ENV]: `OPENID_HANDLER_MODULE=${module}\n` };
  const { stdout } = await project.changed(files, ['check', '--attack']);
  expect(stdout).toMatch(new RegExp(`^${level} +another_issuer +${module}\n  gets in: `, 'm'));
});

const COMMANDS = ['check', 'test', 'verify', 'login openid openidLoggedIn/staff', 'doctor', 'start'];
test.each(COMMANDS)('a stage that is not there is refused by %s', async (command) => {
  const stderr = expect.stringContaining('no stage production: expected dev or prod');
  const ended = await project.run([...command.split(' '), '--stage', 'production']);
  expect(ended).toMatchObject({ status: 2, stderr });
});

/** Of a login, it asks for two secrets and another system. */
const ASKING = `import { endpoint, forbidden, getAccessToken, getSecret, handleOpenIdUserLoggedIn, lookUp, type OpenIdHandler, url } from 'login-hooks';
  import * as v from 'valibot';
  const api = endpoint('https://directory.example');
  const asking: OpenIdHandler = async (event) => {
    const token = await getAccessToken({ tokenUrl: url\`\${api}/token\`, secretId: 'own/client', scope: 'x' });
    const headers = { authorization: token, 'x-key': await getSecret('own/key') };
    const { isIn } = await lookUp(url\`\${api}/x\`, v.object({ isIn: v.boolean() }), { headers, retries: 0 });
    return isIn && event.id_token.iss === '${ISSUER}' ? handleOpenIdUserLoggedIn(event) : forbidden();
  };
  export default asking;\n`;
const SECRET_IDS = 'SECRET_IDS=own/key,own/client\n';
const GONE = '{"handler": "handlers/gone", "status": 200, "answer": {"type": "ForbiddenResponse"}}';

const MISTYPED = handlerOf(MAPPING).replace('"no_group"', '"nogroup"');
const DIFFERS =
  /^openidLoggedIn\/locked\n {2}type: [\s\S]*^error +not_hit +handlers\/campus\n.* rules\[0\]\.no_group: .* \(\["\/lockd"\]\)$/m;
const UNRECORDED = /the response to POST \S+\/token is not recorded/;
const MISSING = /handler_not_loaded: there is no handler handlers\/gone/;
const asking = { [HANDLER]: ASKING, [ENV]: SECRET_IDS };
const UNNAMED = { 'serverless.yml': configurationOf('openid: campus') };
const NEAREST =
  /handler_not_loaded: serverless\.yml: there is no handler campus; the nearest is handlers\/campus/;

test.each<[string, string, Record<string, string | null>, RegExp]>([
  ['a type is wrong', 'test', { [HANDLER]: MISTYPED }, /^handlers\/campus\.ts\(2,\d+\): error TS\d+/m],
  ['a handler cannot be built', 'check', { 'handlers/new.ts': 'export default (;' }, /new\.ts:1:16:/],
  ['a response differs', 'check --coverage', { [HANDLER]: lockd }, DIFFERS],
  ['the expected handler is not there', 'test', { [expectedOf(LOCKED)]: GONE, ...UNTYPED }, MISSING],
  ['the handler of serverless.yml is not there', 'check', UNNAMED, NEAREST],
  ['another system would be asked', 'test', { ...asking, ...UNTYPED }, UNRECORDED],
])('a run fails where %s: %s', async (_, command, files, told) => {
  const { status, stdout } = await project.changed(files, command.split(' '));
  expect([status, stdout]).toEqual([1, expect.stringMatching(told)]);
});

describe('a secret', () => {
  const form = 'grant_type=client_credentials&scope=x&client_id=masked&client_secret=masked';
  const body_sha256 = createHash('sha256').update(form).digest('base64');
  const recording = (request: string, json: object, more: object = {}) => ({
    ...{ request, status: 200, headers: { 'content-type': 'application/json' }, json, ...more },
  });
  const recordings = [
    recording('POST https://directory.example/token', { access_token: 'masked' }, { body_sha256 }),
    recording('GET https://directory.example/x', { isIn: true }),
  ];
  const content = JSON.stringify({ invented: true, recordings });
  const files = { [HANDLER]: ASKING, ...filesOf(ALL, (file) => [beside(file, 'recordings'), content]) };

  test('has a made-up value while recordings respond: a clone has no file of secrets', async () => {
    const set = { [ENV]: `${SECRET_IDS}SECRETS_FILE=secrets.json\n` };
    const { stdout } = await project.changed({ ...files, ...set }, ['check', '--offline']);
    expect(stdout).not.toMatch(/secret/i);
    expect(stdout).toContain('refuses 1 of 3 events');
  });

  test('that SECRET_IDS does not list is an error, with the line to add', async () => {
    const set = { [ENV]: 'SECRET_IDS=own/client\n' };
    const { status, stdout } = await project.changed({ ...files, ...set }, ['check']);
    expect(stdout).toContain('secret own/key: SECRET_IDS does not list it');
    expect(stdout).toMatch(
      /^error +secret_not_listed +handlers\/campus\n.*\n.* \.env\.dev: SECRET_IDS=own\/client,own\/key$/m,
    );
    expect(status).toBe(1);
  });

  test('is missed by verify --try too, although this machine has it', async () => {
    const secrets = { 'own/key': 'x', 'own/client': { client_id: 'a', client_secret: 'b' } };
    const there = { [ENV]: 'SECRETS_FILE=secrets.json\n', 'secrets.json': JSON.stringify(secrets) };
    const { status, stdout } = await project.changed({ ...files, ...there }, ['verify', '--try']);
    expect([status, stdout]).toEqual([1, expect.stringMatching(/^error +secret_not_listed/m)]);
  });
});

describe('check --update', () => {
  const NOBODY = handlerOf({ ...MAPPING, rules: [{ any_group: ['/none'] }] });
  const update = ['check', '--update'];
  const read = (file: string) => readFile(join(project.folder, file), 'utf8');
  const ANSWERED = [expectedOf(STAFF), expectedOf(LOCKED)];

  /** What is answered afterwards; the files are then put back. */
  async function updating(content: string, args: readonly string[]) {
    const before = await Promise.all(ANSWERED.map(read));
    const ended = await project.changed({ [HANDLER]: content }, args);
    const answers = (await Promise.all(ANSWERED.map(read))).map((text) => JSON.parse(text).answer.type);
    await Promise.all(ANSWERED.map((file, index) => project.write(file, before[index] ?? '')));
    return { ...ended, answers };
  }

  test('writes no refusal in the place of a login', async () => {
    const { status, stdout, answers } = await updating(NOBODY, update);
    expect([status, codesIn(stdout)]).toEqual([1, ['not_written']]);
    expect(stdout).toContain('--accept openidLoggedIn/staff');
    expect(answers).toEqual(['AuthorizedUserResponse', 'ForbiddenResponse']);
  });

  test('writes it where it is accepted, and says so', async () => {
    const args = [...update, '--accept', 'openidLoggedIn/staff'];
    const { status, stdout, answers } = await updating(NOBODY, args);
    expect([status, codesIn(stdout)]).toEqual([0, ['other_kind']]);
    expect(answers).toEqual(['ForbiddenResponse', 'ForbiddenResponse']);
  });

  test('says who newly gets in', async () => {
    const { status, stdout, answers } = await updating(lockd, update);
    expect([status, codesIn(stdout)]).toEqual([0, ['other_kind']]);
    expect(answers).toEqual(['AuthorizedUserResponse', 'AuthorizedUserResponse']);
  });

  test.each([
    [['--accept', 'openidLoggedIn/staff'], 'expected --update with --accept'],
    [['--update', '--accept', 'openidLoggedIn/stafff'], 'the nearest is openidLoggedIn/staff'],
  ])('%j is refused', async (args, problem) => {
    const { status, stderr } = await project.run(['check', ...args]);
    expect([status, stderr]).toEqual([2, expect.stringContaining(problem)]);
  });
});
