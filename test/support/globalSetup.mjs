import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Many tests call the built bundle: it is built once, before all of them. */
export default function globalSetup() {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../tools/build.ts', import.meta.url))]);
}
