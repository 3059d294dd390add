/**
 * `npm run bench`: what a login costs, each figure beside what it is compared with, all in one run. Ratios
 * hold when the machine's speed drifts; milliseconds are this machine's.
 */
import { coldStarts } from './bench/coldStart.ts';
import { outsideLogins } from './bench/outside.ts';
import { attributeGrowth, heapGrowth, warmLogins } from './bench/warm.ts';
import { build } from './build.ts';
import { table } from './table.ts';

await build();

console.log('Cold start: process start to first answer, against a function that does nothing\n');
print(['function', 'median ms', 'ratio to empty'], await coldStarts());

console.log(
  'Warm login: JSON text in, JSON text out, against JSON.parse and JSON.stringify of the same event\n',
);
print(['event', 'bytes', 'bare µs', 'login µs', 'ratio'], await warmLogins());

console.log('First logins of a process, by what the handler asks a server on this machine for\n');
print(['a login that asks for', 'median ms'], await outsideLogins());

console.log('Growth: SAML logins by number of attributes, against a handler that looks at nothing\n');
print(
  ['attributes', 'validation µs', 'login µs', 'ratio', 'login µs per attribute'],
  await attributeGrowth(),
);

console.log('Heap in use after a full collection\n');
print(['logins', 'heap KB', 'since the start KB'], await heapGrowth());

function print(header: string[], rows: string[][]): void {
  console.log(`${table(header, rows)}\n`);
}
