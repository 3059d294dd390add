/** `login-hooks create`: writes a project of one's own into a new folder. */
import { readdir } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { givenOrAsked } from '../create/ask.ts';
import { loginHooksPackage, thisPackage } from '../create/loginHooksPackage.ts';
import { expectResponses, givenFor, handlerFiles, starterOf } from '../create/newHandler.ts';
import { projectFiles } from '../create/newProject.ts';
import { STARTERS } from '../create/starters.ts';
import { writeNew } from '../create/writeNew.ts';
import { type Arguments, expectOneOf, UnusableInput } from '../shared/commandLine.ts';
import { type Command, quoted } from '../shared/usage.ts';

const WORDS = Object.keys(STARTERS);
const PROVIDERS = [...new Set(Object.values(STARTERS).flatMap((starters) => Object.keys(starters)))];
const YES_OR_NO = ['yes', 'no'];

export const COMMAND = {
  name: 'create',
  purpose: 'writes a project of your own: a handler with events, settings, and what a deployment needs',
  positionals: [{ name: '<folder>', about: 'a new or an empty folder, e.g. ../my-logins' }],
  options: {
    kind: { type: 'string', value: '<openid|saml>', choices: WORDS, about: 'the kind of login' },
    provider: {
      type: 'string',
      value: '<provider>',
      choices: PROVIDERS,
      about: `the identity provider: ${PROVIDERS.join(', ')}`,
    },
    issuer: { type: 'string', value: '<url>', about: 'the issuer of the provider, as an event has it' },
    domain: {
      type: 'string',
      value: '<domain>',
      about: 'of the addresses of those who may log in, e.g. example.edu',
    },
    http: {
      type: 'string',
      value: '<yes|no>',
      choices: YES_OR_NO,
      about: 'whether there is an HTTP API; without it, the service invokes the function directly',
    },
    package: {
      type: 'string',
      value: '<file, address or version>',
      about: 'the login-hooks that the project depends on; default: this one, whose file goes into vendor/',
    },
  },
  example:
    '../my-logins --kind openid --provider keycloak --issuer https://sso.example.edu/realms/campus --domain example.edu --http no',
} as const satisfies Command;

export async function main({
  positionals: [folder = ''],
  values,
}: Arguments<typeof COMMAND.options>): Promise<0> {
  const service = await serviceIn(folder);
  const kind = await givenOrAsked('kind', values.kind, `the kind of login, ${WORDS.join(' or ')}`, (word) =>
    expectOneOf('--kind', word, WORDS),
  );
  const choices = Object.keys(STARTERS[kind] ?? {}).join(', ');
  const provider = await givenOrAsked('provider', values.provider, `the provider: ${choices}`, (word) =>
    starterOf(kind, word),
  );
  const starter = starterOf(kind, provider);
  const given = await givenFor(starter, values);
  const http = await givenOrAsked('http', values.http, 'an HTTP API, yes or no', (word) =>
    expectOneOf('--http', word, YES_OR_NO),
  );
  const handler = { kind, provider, starter, given };
  const ofHandler = await handlerFiles(handler);
  const wanted = values.package ?? (await thisPackage());
  const { dependency, files } = await loginHooksPackage('--package', wanted);
  const ofProject = await projectFiles({ ...handler, service, dependency, hasHttp: http === 'yes' });
  const all = { ...ofProject, ...ofHandler, ...files };
  await writeNew(folder, all);
  await expectResponses(folder, handler);
  console.log(Object.keys(all).join('\n'));
  console.log(`\nNext: cd ${quoted(folder)} && npm install && npm start`);
  return 0;
}

/**
 * As `serverless` takes it, in YAML without quotes, and npm beside the package of that name. In Lambda, the name of a function
 * has 64 characters at most: service, stage and function.
 */
const SERVICE = /^(?!(?:null|true|false|yes|no|on|off|login-hooks)$)[a-z][a-z\d-]{1,39}$/;

/** What the stack, the functions and the package will be called, as the folder is. @throws {UnusableInput} */
async function serviceIn(folder: string): Promise<string> {
  const name = basename(resolve(folder));
  if (!SERVICE.test(name))
    throw new UnusableInput(
      `${folder}: expected a folder named by 2 to 40 lower-case letters, digits and hyphens, not a word of YAML, and not login-hooks`,
    );
  const found = await readdir(folder).catch(({ code }) => (code === 'ENOENT' ? [] : [code]));
  if (found.length > 0) throw new UnusableInput(`${folder}: expected a new or an empty folder`);
  return name;
}
