/** The responses that the handlers and settings of another commit give to the events of now. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { handlerNames } from '../../bundle/build.ts';
import { withoutExtension } from '../../bundle/bundler.ts';
import { SOURCE } from '../../bundle/handlers.ts';
import type { Answered } from '../../local/answered.ts';
import { missingHandler } from '../../local/coldStartReport.ts';
import { labelOf, type SampleEvent } from '../../local/events.ts';
import { UnusableInput } from '../../shared/commandLine.ts';
import { CODE, CONFIGURATION, ofProject, PROJECT } from '../../shared/project.ts';
import type { Stage } from '../../shared/stage.ts';

const run = promisify(execFile);
const MAX_OUTPUT = 500_000_000;
const WORKER = join(import.meta.dirname, `earlierWorker${CODE}`);

/** Responses of another commit. */
export interface Earlier {
  /** As it was given, e.g. `origin/main`. */
  ref: string;
  answerTo(sample: SampleEvent): Answered;
}

/**
 * What `--against` names: a handler, or else a commit.
 *
 * @throws {UnusableInput} for neither
 */
export async function comparedWith(
  given: string | undefined,
): Promise<{ handler: string | undefined; commit: Commit | null }> {
  const isHandler = (name: string) =>
    SOURCE.test(name) || isAbsolute(name) || handlerNames().includes(withoutExtension(name));
  if (given === undefined || isHandler(given)) return { handler: given, commit: null };
  const id = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${given}^{commit}`).catch(
    () => null,
  );
  if (id === null) throw new UnusableInput(`git knows no commit ${given}, and ${missingHandler(given)}`);
  return { handler: undefined, commit: { ref: given, id } };
}

export interface Commit {
  ref: string;
  id: string;
}

/**
 * Checks the commit out below `.build/`, where its handlers find what is installed, and answers the events there. The
 * login-hooks of now answers: only handlers and settings are another commit's.
 *
 * @param place of the events: an absolute path
 * @throws {UnusableInput} where the project was not there yet, or cannot be built
 */
export async function earlierAnswers({ ref, id }: Commit, place: string, stage: Stage): Promise<Earlier> {
  const builds = join(PROJECT, '.build');
  await mkdir(builds, { recursive: true });
  const tree = await mkdtemp(join(builds, 'commit-'));
  try {
    await git('worktree', 'add', '--detach', '--force', tree, id);
    const folder = join(tree, await git('rev-parse', '--show-prefix'));
    if (!existsSync(join(folder, ofProject(CONFIGURATION))))
      throw new UnusableInput(
        `${ref}: there is no ${ofProject(CONFIGURATION)} at this commit: choose a later one`,
      );
    await copySettings(stage.folder, folder);
    const answers = await answersIn(folder, place, stage);
    const answerTo = (sample: SampleEvent) => {
      const answered = answers[labelOf(sample)];
      if (!answered) throw new UnusableInput(`${labelOf(sample)} changed while it was checked: try again`);
      return answered;
    };
    return { ref, answerTo };
  } finally {
    await git('worktree', 'remove', '--force', tree).catch(() => rm(tree, { recursive: true, force: true }));
  }
}

/** In the project's folder. @returns what it writes, without the end of the line */
async function git(...args: string[]): Promise<string> {
  const { stdout } = await run('git', args, { cwd: PROJECT });
  return stdout.trim();
}

/** Those that git does not have are the same in all commits. */
async function copySettings(from: string, to: string): Promise<void> {
  const files = (await readdir(from)).filter((file) => /^\.env(\.|$)/.test(file));
  const missing = files.filter((file) => !existsSync(join(to, file)));
  await Promise.all(missing.map((file) => copyFile(join(from, file), join(to, file))));
}

/** The files that settings name, which git should not have: those of now. */
function filesOf({ env }: Stage): NodeJS.ProcessEnv {
  const names = ['SECRETS_FILE', 'NODE_EXTRA_CA_CERTS'];
  return Object.fromEntries(
    names.flatMap((name) => (env[name] ? [[name, resolve(PROJECT, env[name])]] : [])),
  );
}

async function answersIn(folder: string, place: string, stage: Stage): Promise<Record<string, Answered>> {
  const { LOGIN_HOOKS_BUNDLE: _, ...env } = process.env;
  try {
    const { stdout } = await run(process.execPath, [WORKER, place, stage.name], {
      cwd: folder,
      env: { ...env, ...filesOf(stage), LOGIN_HOOKS_ENV_FOLDER: folder },
      maxBuffer: MAX_OUTPUT,
    });
    return JSON.parse(stdout);
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new UnusableInput(`the handlers of the other commit cannot answer:\n${stderr.trim() || message}`);
  }
}
