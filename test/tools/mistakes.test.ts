/** Mistakes, and what an operator is told of each, word for word: `mistakes.txt` beside this file. */
import { readFileSync } from 'node:fs';
import { rm, symlink } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { REPOSITORY, runCommand } from '../support/commands.ts';
import { commandEnvironment } from '../support/environment.ts';
import { projectCopy } from '../support/projectCopy.ts';
import type { ProjectFolder } from '../support/projectFolder.ts';
import { httpServer, type LocalServer, sendJson } from '../support/servers.ts';
import { type RunTool, toolsOf } from '../support/tools.ts';

interface Mistake {
  what: string;
  typed: string;
  told: string;
  code: number;
}

const TEXT = readFileSync(join(import.meta.dirname, 'mistakes.txt'), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'));
const MISTAKES = Array.from(
  TEXT.matchAll(/^- ([^\n]+)\n\$ ([^\n]+)\n(.*?)\n=> exit code (\d)$/gms),
  ([, what = '', typed = '', told = '', code]): Mistake => ({ what, typed, told, code: Number(code) }),
);

const HANDLERS = {
  'handlers/named.ts': 'export const staff = () => {};\n',
  'handlers/loads.ts':
    "const table = JSON.parse('{}');\nexport default [table].map(({ rows }) => rows.find);\n",
  'handlers/ends.ts': 'process.exit(3);\n',
  'handlers/secret.ts': `import { getSecret } from 'login-hooks';
export default async () => ({ type: 'ForbiddenResponse', message: await getSecret('own/secret') });
`,
  'handlers/look-up.ts': `import * as v from 'valibot';
import { endpoint, lookUp, url } from 'login-hooks';
const api = endpoint(process.env.AWS_ENDPOINT_URL_LAMBDA ?? '');
const options = { allowHttp: true, retries: 0 };
export default () => lookUp(url\`\${api}/login-hooks-not-allowed-x\`, v.object({}), options);
`,
  'handlers/nothing.ts': 'export default () => {};\n',
  'handlers/field.ts': `import { handleSamlUserLoggedIn, type SamlHandler } from 'login-hooks';
const handler: SamlHandler = (event) => ({ ...handleSamlUserLoggedIn(event), user_groups_uuids: [] });
export default handler;
`,
};

const BROKEN_HANDLERS = {
  'handlers/syntax.ts': 'export default (event) => {\n  if (event.assertion {\n};\n',
  'handlers/package.ts': "import { chunk } from 'lodash';\nexport default () => chunk([], 1);\n",
};

/** Of stages that are named for what is wrong with them. */
const SETTINGS = {
  '.env.half-a-name': 'SAML_HANDLER=handlers/staff-group\n',
  '.env.without-folder': 'SAML_HANDLER_MODULE=staff-group\n',
  '.env.plain-http': 'OPENID_ISSUERS={"http://sso.example.org":{"audiences":["client-1"]}}\n',
  '.env.secrets': 'SECRETS_FILE=secrets.json\n',
  '.env.broken-secrets': 'SECRETS_FILE=broken.json\n',
  'broken.json': '{\n  "login-hooks/token": "a",\n  "b" "c"\n}\n',
  '.env.other-secrets': 'SECRETS_FILE=secrets.sample.json\n',
  '.env.production': 'SAML_HANDLER_MODULE=handlers/staff-group\n',
};

/** Lambda's Invoke API where something is wrong, by the stage of the function that is asked. */
const REFUSALS: Readonly<Record<string, [status: number, type: string]>> = {
  'not-deployed': [404, 'ResourceNotFoundException'],
  'not-allowed': [403, 'AccessDeniedException'],
};
const report = (handler: object, secrets: object) => ({
  ...{ version: '1.0.0', function: 'openidLoggedIn', ok: false, settings: {}, keySets: {}, secrets },
  handler: { source: 'handlers/staff', ...handler },
});
const REASON = { reason: 'handler_not_loaded', problem: 'threw while loading' };
const ERROR = 'TypeError: x\n    at file:///var/task/handlers/staff.mjs:1:7';
/** What a self-test says, by the stage. */
const REPORTS: Readonly<Record<string, object>> = {
  'not-ready': report(
    { loaded: false, ...REASON, error: ERROR },
    { 'login-hooks/signing': 'secret_access_denied' },
  ),
  'without-check': report({ loaded: true, reason: 'internal_error' }, {}),
};

function invoke({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const [, stage = ''] = /login-hooks-([a-z-]+)-/.exec(url) ?? [];
  const [status, type] = REFUSALS[stage] ?? [];
  if (status === undefined) sendJson(response, REPORTS[stage]);
  else sendJson(response, { message: 'no' }, status, { 'x-amzn-errortype': type });
}

let server: LocalServer;
/** A copy of the project in which an operator makes mistakes. */
let project: ProjectFolder;
let runTool: RunTool;
beforeAll(async () => {
  server = await httpServer(invoke);
  const access = `AWS_ACCESS_KEY_ID=x\nAWS_SECRET_ACCESS_KEY=x\nAWS_ENDPOINT_URL_LAMBDA=${server.url}\n`;
  const stages = [...Object.keys(REFUSALS), ...Object.keys(REPORTS)];
  const settings = Object.fromEntries(stages.map((stage) => [`.env.${stage}`, access]));
  project = await projectCopy({ ...HANDLERS, ...SETTINGS, ...settings });
  // What maintainers run is there.
  await symlink(join(REPOSITORY, 'test'), join(project.folder, 'test'), 'junction');
  runTool = await toolsOf(project.folder);
  await runTool('build', []);
});
afterAll(() => Promise.all([project.remove(), server.close()]));

/** The script, its arguments and the environment, as a shell and npm make them of what is typed. */
function parse(typed: string) {
  const words = typed.split(' ');
  const set: Record<string, string> = {};
  while (words[0]?.includes('=')) {
    const [name = '', ...value] = (words.shift() ?? '').split('=');
    set[name] = value.join('=');
  }
  const [script = '', ...args] = words.slice(words[1] === 'run' ? 2 : 1);
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const isOption = (word: string) => word.startsWith('--');
  const [taken = [], own = []] = [true, false].map((is) =>
    args.slice(0, end).filter((word) => isOption(word) === is),
  );
  const ofNpm = Object.fromEntries(taken.map((word) => [`npm_config_${word.slice(2)}`, 'true']));
  const env = { npm_lifecycle_event: script, ...ofNpm, ...set };
  return { script, args: [...own, ...args.slice(end + 1)], env };
}

/** Of a command that is run in the process of the test. Of `self-test` none: to the AWS SDK, its errors are of another realm. */
const IN_PROCESS = /^node tools\/cli\/bin\.cjs (?!self-test)(\S+)$/;

/**
 * What the operator is told on stderr: without log records, and with `<project>` for the path of the copy.
 *
 * @param typed e.g. `SAML_HANDLER_MODULE=x npm run verify`
 */
async function run(typed: string) {
  const { folder } = project;
  const { script, args, env: set } = parse(typed);
  const env = { HOME: folder, LOGIN_HOOKS_ENV_FOLDER: folder, AWS_EC2_METADATA_DISABLED: 'true', ...set };
  const [, name] = IN_PROCESS.exec(scripts[script]) ?? [];
  const words: string[] = scripts[script].split(' ').slice(1);
  const { status, stderr } =
    name === undefined
      ? await runCommand([...words, ...args], { cwd: folder, env: commandEnvironment(env) }).end(0)
      : await runTool(name, args, env);
  const told = stderr.replaceAll(/^\{"level".*\n/gm, '').replaceAll(folder, '<project>');
  return { code: status, told: told.trim() };
}

test('every mistake is read', () => {
  expect(MISTAKES.length).toBe(TEXT.match(/^\$ /gm)?.length);
});

test.each(MISTAKES)('$what: $typed', async ({ typed, told, code }) => {
  const broken: Readonly<Record<string, string>> = typed === 'npm run build' ? BROKEN_HANDLERS : {};
  for (const [file, text] of Object.entries(broken)) await project.write(file, text);
  expect(await run(typed)).toEqual({ code, told: told.replace('<server>', new URL(server.url).host) });
  for (const file of Object.keys(broken)) await rm(join(project.folder, file));
});
