/**
 * The client of Lambda's Runtime API that runs a function on AWS, as AWS publishes it (`aws-lambda-ric`). It is
 * compiled where it is installed, for Linux alone, so that it is no dependency of the project.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { folderOf, type Installation, installFromNpm } from './installation.ts';

const VERSION = '4.0.2';

export const RUNTIME_INTERFACE_CLIENT: Installation = {
  name: `aws-lambda-ric-${VERSION}`,
  make: (folder) => {
    const env = { ...process.env, ...nodeHeaders() };
    return installFromNpm(folder, `aws-lambda-ric@${VERSION}`, ['--ignore-scripts=false'], env);
  },
};

/** Its entry point, once it is installed. */
export const CLIENT = join(
  folderOf(RUNTIME_INTERFACE_CLIENT.name),
  'node_modules',
  'aws-lambda-ric',
  'index.mjs',
);

/** The project's Node brings its headers along; without them node-gyp would fetch them. */
function nodeHeaders(): NodeJS.ProcessEnv {
  try {
    const { resolve } = createRequire(import.meta.url);
    const nodedir = dirname(resolve(`node-${process.platform}-${process.arch}/package.json`));
    return existsSync(join(nodedir, 'include')) ? { npm_config_nodedir: nodedir } : {};
  } catch {
    return {};
  }
}
