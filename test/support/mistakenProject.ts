/** A copy of the project in which an operator makes mistakes, and commands that are run in it as they are typed. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PROJECT } from '../../tools/shared/project.ts';
import { commandEnvironment } from './environment.ts';
import { BUILT } from './tools.ts';

/** What the commands read. */
const PARTS = [
  'events',
  'functions',
  'handlers',
  'lib',
  'test',
  'tools',
  'package.json',
  'secrets.sample.json',
  'serverless.yml',
];

interface Ended {
  code: number;
  /**
   * What the operator is told, on stderr, or by `serverless` on stdout: without log records, and with `<project>` for the
   * path of the copy.
   */
  told: string;
}

export interface MistakenProject {
  /** @param typed e.g. `SAML_HANDLER_MODULE=x npm run verify -- samlLoggedIn` */
  run(typed: string): Promise<Ended>;
  remove(): Promise<void>;
}

/**
 * @param files what is added to the copy, by path
 * @param options `isBuilt`: whether it is built once, and by no command after that
 */
export async function mistakenProject(
  files: Record<string, string | Buffer>,
  { isBuilt = true } = {},
): Promise<MistakenProject> {
  const folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  await Promise.all(PARTS.map((part) => cp(join(PROJECT, part), join(folder, part), { recursive: true })));
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const env = commandEnvironment({
    HOME: folder,
    LOGIN_HOOKS_ENV_FOLDER: folder,
    AWS_EC2_METADATA_DISABLED: 'true',
    ...(isBuilt && BUILT),
  });
  if (isBuilt) await start(['tools/cli/build.ts'], folder, env);
  return {
    async run(typed) {
      const { args, set } = parse(typed, scripts);
      const { code, stdout, stderr } = await start(args, folder, { ...env, ...set });
      const told = (typed.includes('npx ') ? stdout : stderr).replaceAll(/^\{"level".*\n/gm, '');
      return { code, told: told.replaceAll(folder, '<project>').trim() };
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

/** The arguments of Node and the environment, as a shell and npm make them of what is typed. */
function parse(typed: string, scripts: Record<string, string>) {
  const words = typed.split(' ');
  const set: Record<string, string> = {};
  while (words[0]?.includes('=')) {
    const [name = '', ...value] = (words.shift() ?? '').split('=');
    set[name] = value.join('=');
  }
  if (words[0] === 'npx')
    return { args: ['node_modules/serverless/bin/serverless.js', ...words.slice(2)], set };
  const [script = '', ...args] = words.slice(words[1] === 'run' ? 2 : 1);
  const end = args.indexOf('--');
  const [forNpm, others] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
  const taken = forNpm
    .filter((word) => word.startsWith('--'))
    .map((word) => [`npm_config_${word.slice(2)}`, 'true']);
  const own = forNpm.filter((word) => !word.startsWith('--'));
  return {
    args: [...(scripts[script]?.split(' ').slice(1) ?? []), ...own, ...others],
    set: { npm_lifecycle_event: script, ...Object.fromEntries(taken), ...set },
  };
}

function start(args: string[], cwd: string, env: NodeJS.ProcessEnv) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) =>
    execFile(process.execPath, args, { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    ),
  );
}
