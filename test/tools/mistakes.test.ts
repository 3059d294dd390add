/** Mistakes, and what an operator is told of each, word for word: `mistakes.txt` beside this file. */
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';
import { commandEnvironment } from '../support/environment.ts';
import { type FakeAws, fakeAws } from '../support/fakeAws.ts';
import { type MistakenProject, mistakenProject } from '../support/mistakenProject.ts';
import { samlEvent } from '../support/wire.ts';

interface Mistake {
  what: string;
  typed: string;
  told: string;
  code: number;
}

const TEXT = readFileSync(join(PROJECT, 'test', 'tools', 'mistakes.txt'), 'utf8');
const MISTAKES = Array.from(
  TEXT.matchAll(/^- ([^\n]+)\n\$ ([^\n]+)\n(.*?)\n=> exit code (\d)$/gms),
  ([, what = '', typed = '', told = '', code]): Mistake => ({ what, typed, told, code: Number(code) }),
);

const HANDLERS = {
  'handlers/named.ts': 'export const staff = () => {};\n',
  'handlers/two.ts': 'export default (event: unknown, context: unknown) => [event, context];\n',
  'handlers/loads.ts': "const table = JSON.parse('{}');\nexport default table.rows.find;\n",
  'handlers/ends.ts': 'process.exit(3);\n',
  'handlers/openid.ts': `import { mapOpenIdLogin } from 'login-hooks';
export default mapOpenIdLogin({ issuers: { 'https://sso.example.edu': {} } });
`,
  'handlers/throws.ts': 'export default (event: any) => event.assertion.user.email;\n',
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
  'handlers/field.ts': `import { handleSamlUserLoggedIn, type SamlHandler } from 'login-hooks';\nconst handler: SamlHandler = (event) => ({ ...handleSamlUserLoggedIn(event), user_groups_uuids: [] });\nexport default handler;\n`,
  'handlers/picture.ts': `import { handleSamlUserLoggedIn, type SamlHandler } from 'login-hooks';\nconst handler: SamlHandler = (event) => ({ ...handleSamlUserLoggedIn(event), image_url: 'none' });\nexport default handler;\n`,
};

const PACKAGE = "import { chunk } from 'lodash';\nexport default () => chunk([], 1);\n";

const BROKEN_HANDLERS = {
  'handlers/syntax.ts': 'export default (event) => {\n  if (event.assertion {\n};\n',
  'handlers/package.ts': PACKAGE,
};

/** Of stages that are named for what is wrong with them. */
const SETTINGS = {
  '.env.half-a-name': 'SAML_HANDLER=handlers/staff-group\n',
  '.env.without-equals': 'SAML_HANDLER_MODULE handlers/staff-group\n',
  '.env.of-powershell': Buffer.from('\ufeffSAML_HANDLER_MODULE=handlers/staff-group\n', 'utf16le'),
  '.env.without-folder': 'SAML_HANDLER_MODULE=staff-group\n',
  '.env.plain-http': 'OPENID_ISSUERS={"http://sso.example.org":{"audiences":["client-1"]}}\n',
  '.env.signature': 'CALLER_CHECK=signature\n',
  '.env.secrets': 'SECRETS_FILE=secrets.json\n',
  '.env.other-secrets': 'SECRETS_FILE=secrets.sample.json\n',
  '.env.certificates': 'NODE_EXTRA_CA_CERTS=ca.pem\n',
  '.env.keys':
    'OPENID_TOKEN_CHECK=on\nOPENID_ISSUERS={"https://gitlab.example.org":{"audiences":["client-1"],"jwks_uri":"https://127.0.0.1:9/keys"}}\n',
  '.env.production': 'SAML_HANDLER_MODULE=handlers/staff-group\n',
};

const OWN = {
  'own/comma.json': '{\n  "assertion": {},\n}\n',
  'own/package.ts': PACKAGE,
  'events/samlLoggedIn/ours.json': JSON.stringify(samlEvent()),
  'events/samlLoggedIn/ours.expected.json': JSON.stringify({
    handler: 'handlers/throws',
    status: 200,
    answer: { type: 'ForbiddenResponse' },
  }),
};

let aws: FakeAws;
let project: MistakenProject;
beforeAll(async () => {
  aws = await fakeAws();
  const files = { ...HANDLERS, ...SETTINGS, ...OWN, ...aws.settings };
  project = await mistakenProject(files);
});
afterAll(() => Promise.all([project.remove(), aws.close()]));

test('a command of a test reads none of the settings that an operator has in the project', async () => {
  const { LOGIN_HOOKS_ENV_FOLDER } = commandEnvironment();
  const verify = 'npm run verify -- --stage without-folder';
  expect(await project.run(verify)).toMatchObject({ code: 1 });
  expect(await project.run(`LOGIN_HOOKS_ENV_FOLDER=${LOGIN_HOOKS_ENV_FOLDER} ${verify}`)).toEqual({
    code: 2,
    told: expect.stringMatching(/^there is no stage without-folder: /),
  });
});

test('there are forty mistakes and more', () => {
  expect(MISTAKES.length).toBeGreaterThan(40);
  expect(MISTAKES.length).toBe(TEXT.match(/^\$ /gm)?.length);
});

test.each(MISTAKES)('$what: $typed', async ({ typed, told, code }) => {
  const withPort = (text: string) =>
    text.replace('<taken>', String(aws.port)).replace('<secure>', String(aws.securePort));
  const isBuild = typed === 'npm run build';
  if (isBuild) for (const [file, text] of Object.entries(BROKEN_HANDLERS)) await project.write(file, text);
  expect(await project.run(withPort(typed))).toEqual({ code, told: withPort(told) });
  if (isBuild) for (const file of Object.keys(BROKEN_HANDLERS)) await rm(join(project.folder, file));
});
