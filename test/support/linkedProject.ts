import { copyFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../../tools/shared/project.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/**
 * What `serverless` needs of the project, in a folder without the settings of an operator, for the tests of a file. It takes no
 * link for its configuration, and walks through all that is there.
 *
 * @param links folders; without `dist`, a command builds one in the folder
 */
export function linkedProject(links = ['dist', 'handlers', 'tools']): string {
  const folder = temporaryFolder();
  for (const name of links) symlinkSync(join(PROJECT, name), join(folder, name), 'junction');
  for (const name of ['package.json', 'serverless.yml'])
    copyFileSync(join(PROJECT, name), join(folder, name));
  return folder;
}
