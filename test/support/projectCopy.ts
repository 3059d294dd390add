/** A copy of the project, in which a test adds and changes files as it likes. */
import { cp, symlink } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { REPOSITORY } from './commands.ts';
import { type ProjectFolder, projectFolder } from './projectFolder.ts';

/** What commands read. */
const PARTS = [
  ...['dist', 'events', 'functions', 'handlers', 'lib', 'tools'],
  ...['package.json', 'secrets.sample.json', 'serverless.yml'],
];

/**
 * @param files what is added, by path
 * @param samples the only sample events that it has, e.g. `samlLoggedIn/keycloak`; default: all
 */
export async function projectCopy(
  files: Readonly<Record<string, string | Buffer>> = {},
  samples?: readonly string[],
): Promise<ProjectFolder> {
  const project = await projectFolder();
  const { folder, write } = project;
  const filter = (file: string) => {
    const [, sample] = /events.(\w+LoggedIn.[^.]+)/.exec(file) ?? [];
    return !sample || !samples || samples.includes(sample.replaceAll(sep, '/'));
  };
  await Promise.all(
    PARTS.map((part) => cp(join(REPOSITORY, part), join(folder, part), { recursive: true, filter })),
  );
  await symlink(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'), 'junction');
  for (const [file, content] of Object.entries(files)) await write(file, content);
  return project;
}
