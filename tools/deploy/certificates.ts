/** Certificates of one's own: Node only warns of a file that is not there, and each look-up fails. */
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { loginFunctions } from './loginFunctions.ts';
import type { Serverless } from './service.ts';

const TASK_ROOT = '/var/task';
/** Where a central directory header of a zip has what, in bytes from its start (APPNOTE 4.3.12). */
const [HEADER, NAME_LENGTH, NAME] = ['PK\x01\x02', 28, 46];

/** @returns a sentence for each function whose package has not the file that it names; one of a layer cannot be seen here */
export function missingCertificates({ service }: Serverless): string[] {
  return loginFunctions(service).flatMap(({ name, fn, settings: { NODE_EXTRA_CA_CERTS: file } }) => {
    const zip = fn.package?.artifact ?? service.package.artifact;
    if (!file || zip === undefined) return [];
    const path = posix.resolve(TASK_ROOT, file);
    const inPackage = posix.relative(TASK_ROOT, path);
    if (path.startsWith('/opt/') || namesIn(readFileSync(zip)).includes(inPackage)) return [];
    const problem = `${name}: NODE_EXTRA_CA_CERTS: ${file} is not in the package`;
    return [`${problem}: add it below package.patterns, or name a file of a layer below /opt/`];
  });
}

function namesIn(zip: Buffer): string[] {
  const names = [];
  for (let at = zip.indexOf(HEADER); at >= 0; at = zip.indexOf(HEADER, at + 4)) {
    const end = at + NAME + zip.readUInt16LE(at + NAME_LENGTH);
    names.push(zip.toString('utf8', at + NAME, end));
  }
  return names;
}
