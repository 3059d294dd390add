/** `login-hooks create`: writes a project of one's own into a new folder. */
import { readdir } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { givenOrAsked } from '../create/ask.ts';
import { loginHooksPackage, thisPackage } from '../create/loginHooksPackage.ts';
import { givenFor, handlerFiles, PROVIDER_OPTIONS, starterOf } from '../create/newHandler.ts';
import { projectFiles } from '../create/newProject.ts';
import { STARTERS } from '../create/starters.ts';
import { writeNew } from '../create/writeNew.ts';
import { type Arguments, expectOneOf, UnusableInput } from '../shared/commandLine.ts';
import { type Command, quoted } from '../shared/usage.ts';

const WORDS = Object.keys(STARTERS);

export const COMMAND = {
  name: 'create',
  purpose: 'writes a project of your own: a handler with events, settings, and what a deployment needs',
  positionals: [{ name: '<folder>', about: 'a new or an empty folder, e.g. ../my-logins' }],
  options: {
    kind: { type: 'string', value: '<openid|saml>', choices: WORDS, about: 'the kind of login' },
    ...PROVIDER_OPTIONS,
    package: {
      type: 'string',
      value: '<file or version>',
      about: 'the login-hooks that the project depends on: a packed file, or a version; default: this one',
    },
  },
  example:
    '../my-logins --kind openid --provider keycloak --issuer https://sso.example.edu/realms/campus --domain example.edu',
} as const satisfies Command;

export async function main({
  positionals: [folder = ''],
  values,
}: Arguments<typeof COMMAND.options>): Promise<0> {
  const service = serviceNamed(folder);
  await requireEmpty(folder);
  const kind = await givenOrAsked('kind', values.kind, `the kind of login, ${WORDS.join(' or ')}`, (word) =>
    expectOneOf('--kind', word, WORDS),
  );
  const choices = Object.keys(STARTERS[kind] ?? {}).join(', ');
  const provider = await givenOrAsked('provider', values.provider, `the provider: ${choices}`, (word) =>
    starterOf(kind, word),
  );
  const starter = starterOf(kind, provider);
  const handler = { kind, name: provider, provider, given: await givenFor(starter, values) };
  const ofHandler = await handlerFiles(handler);
  const { dependency, files } = await loginHooksPackage(values.package ?? (await thisPackage()));
  const ofProject = await projectFiles({ ...handler, service, dependency });
  const all = { ...ofProject, ...ofHandler, ...files };
  await writeNew(folder, all);
  console.log(Object.keys(all).join('\n'));
  console.log(`\nNext: cd ${quoted(folder)} && npm install && npm start`);
  return 0;
}

/** In characters. The name of a function in Lambda has 64 at most: service, stage and function. */
const MAX_SERVICE = 40;
/** As `serverless` takes it. */
const SERVICE = /^[a-z][a-z\d-]+$/;
const WORDS_OF_YAML = /^(?:null|true|false|yes|no|on|off)$/;

/** As the stack, the functions and the package will be called. */
function serviceNamed(folder: string): string {
  const name = basename(resolve(folder));
  if (name === 'login-hooks')
    throw new UnusableInput(
      `${folder}: expected another name than that of the package that the project depends on`,
    );
  if (WORDS_OF_YAML.test(name))
    throw new UnusableInput(`${folder}: expected another name, because ${name} is no text in YAML`);
  if (SERVICE.test(name) && name.length <= MAX_SERVICE) return name;
  throw new UnusableInput(
    `${folder}: expected a folder named by 2 to ${MAX_SERVICE} lower-case letters, digits and hyphens`,
  );
}

async function requireEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (found.length > 0) throw new UnusableInput(`${folder}: expected a new or an empty folder`);
}
