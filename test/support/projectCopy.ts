/** A copy of the project, in which a test adds and changes files as it likes. */
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { PROJECT } from '../../tools/shared/project.ts';

/** What commands read. */
const PARTS = [
  ...['dist', 'events', 'functions', 'handlers', 'lib', 'test', 'tools'],
  ...['package.json', 'secrets.sample.json', 'serverless.yml'],
];

export interface ProjectCopy {
  folder: string;
  write(file: string, content: string | Buffer): Promise<void>;
  remove(): Promise<void>;
}

/**
 * @param files what is added, by path
 * @param samples the only sample events that it has, e.g. `samlLoggedIn/keycloak`; default: all
 */
export async function projectCopy(
  files: Readonly<Record<string, string | Buffer>> = {},
  samples?: readonly string[],
): Promise<ProjectCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  const filter = (file: string) => {
    const [, sample] = /events.(\w+LoggedIn.[^.]+)/.exec(file) ?? [];
    return !sample || !samples || samples.includes(sample.replaceAll(sep, '/'));
  };
  await Promise.all(
    PARTS.map((part) => cp(join(PROJECT, part), join(folder, part), { recursive: true, filter })),
  );
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const write = async (file: string, content: string | Buffer) => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  };
  for (const [file, content] of Object.entries(files)) await write(file, content);
  return { folder, write, remove: () => rm(folder, { recursive: true }) };
}
