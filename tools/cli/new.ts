/** `login-hooks new`: adds a handler with its events to a project. */
import { givenFor, handlerFiles, PROVIDER_OPTIONS, settingsText, starterOf } from '../create/newHandler.ts';
import { STARTERS } from '../create/starters.ts';
import { writeNew } from '../create/writeNew.ts';
import { type Arguments, UnusableInput } from '../shared/commandLine.ts';
import { CONFIGURATION, ofProject, PROJECT } from '../shared/project.ts';
import { FUNCTIONS } from '../shared/projectFunctions.ts';
import type { Command } from '../shared/usage.ts';

export const COMMAND = {
  name: 'new',
  purpose: 'adds a handler, with events that it answers, to this project',
  positionals: [
    { name: '<openid|saml>', about: 'the kind of login', choices: Object.keys(STARTERS) },
    { name: '<name>', about: 'of the handler: lower-case letters, digits and hyphens' },
  ],
  options: {
    ...PROVIDER_OPTIONS,
    provider: { ...PROVIDER_OPTIONS.provider, default: 'other' },
  },
  example: 'openid physics-only --issuer https://login.example.org --domain example.org',
} as const satisfies Command;

export async function main({
  positionals: [kind = '', name = ''],
  values,
}: Arguments<typeof COMMAND.options>): Promise<0> {
  if (!(kind in FUNCTIONS))
    throw new UnusableInput(
      `${ofProject(CONFIGURATION)}: custom.loginHooks has no ${kind}: add it there first, so that its function is deployed`,
    );
  const { provider = COMMAND.options.provider.default } = values;
  const starter = starterOf(kind, provider);
  const files = await handlerFiles({ kind, name, provider, given: await givenFor(starter, values) });
  await writeNew(PROJECT, files);
  console.log(Object.keys(files).join('\n'));
  console.log(
    `\nTo put it in force, write ${kind}: handlers/${name} below custom.loginHooks in ${ofProject(CONFIGURATION)}`,
  );
  const settings = settingsText(starter);
  if (settings !== '')
    console.log(`Each stage needs these settings in its .env.<stage>:\n${settings.trimEnd()}`);
  return 0;
}
