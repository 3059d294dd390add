/** A copy of the project in which an operator makes mistakes, and commands that are run in it as they are typed. */
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT } from '../../tools/shared/project.ts';
import { runCommand } from './commands.ts';
import { commandEnvironment } from './environment.ts';
import { projectCopy } from './projectCopy.ts';
import { toolsOf } from './tools.ts';

export type MistakenProject = Awaited<ReturnType<typeof mistakenProject>>;

/** Of a command that is run in the process of the test. Of `self-test` none: to the AWS SDK, its errors are of another realm. */
const IN_PROCESS = /^node tools\/cli\/bin\.cjs (?!self-test)(\S+)$/;

/** @param files what is added to the copy, by path, before it is built */
export async function mistakenProject(files: Record<string, string | Buffer>) {
  const copy = await projectCopy(files);
  const { folder } = copy;
  // What maintainers run is there.
  await symlink(join(PROJECT, 'test'), join(folder, 'test'), 'junction');
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const runTool = await toolsOf(folder);
  await runTool('build', []);
  const run = async (typed: string) => {
    const { script, args, set } = parse(typed);
    const env = { HOME: folder, LOGIN_HOOKS_ENV_FOLDER: folder, AWS_EC2_METADATA_DISABLED: 'true', ...set };
    const [, name] = IN_PROCESS.exec(scripts[script]) ?? [];
    if (name === undefined) {
      const options = { cwd: folder, env: commandEnvironment(env) };
      const words = scripts[script].split(' ').slice(1);
      const { status: code, stderr: told } = await runCommand([...words, ...args], options).end(0);
      return { code, told };
    }
    const { status: code, stderr: told } = await runTool(name, args, env);
    return { code, told };
  };
  return {
    ...copy,
    /**
     * What the operator is told on stderr: without log records, and with `<project>` for the path of the copy.
     *
     * @param typed e.g. `SAML_HANDLER_MODULE=x npm run verify`
     */
    async run(typed: string) {
      const { code, told } = await run(typed);
      const text = told.replaceAll(/^\{"level".*\n/gm, '').replaceAll(folder, '<project>');
      return { code, told: text.trim() };
    },
  };
}

/** The script, its arguments and the environment, as a shell and npm make them of what is typed. */
function parse(typed: string) {
  const words = typed.split(' ');
  const set: Record<string, string> = {};
  while (words[0]?.includes('=')) {
    const [name = '', ...value] = (words.shift() ?? '').split('=');
    set[name] = value.join('=');
  }
  const [script = '', ...args] = words.slice(words[1] === 'run' ? 2 : 1);
  const end = args.indexOf('--');
  const [forNpm, others] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
  const taken = forNpm
    .filter((word) => word.startsWith('--'))
    .map((word) => [`npm_config_${word.slice(2)}`, 'true']);
  const own = forNpm.filter((word) => !word.startsWith('--'));
  const ofNpm = { npm_lifecycle_event: script, ...Object.fromEntries(taken) };
  return { script, args: [...own, ...others], set: { ...ofNpm, ...set } };
}
