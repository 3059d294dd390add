/**
 * `npm run bench`: what a login costs, each figure beside what it is compared with, all in one run. Ratios
 * hold when the machine's speed drifts; milliseconds are this machine's.
 */
import { cpus } from 'node:os';
import { build } from '../../tools/bundle/build.ts';
import { runCommand } from '../../tools/shared/commandLine.ts';
import { table } from '../../tools/shared/table.ts';
import type { Command } from '../../tools/shared/usage.ts';
import { changedHandler } from './changes.ts';
import { checkCosts } from './checks.ts';
import { coldStartClient, coldStarts } from './coldStart.ts';
import { CONCURRENT_HEADER, CONCURRENT_TITLE, concurrentLogins } from './concurrent.ts';
import { growingInputs } from './growth/rows.ts';
import { outsideLogins } from './outside.ts';
import { attributeGrowth, camelCaseLogins, manyLogins, warmLogins } from './warm.ts';

const COMMAND = {
  name: 'npm run bench',
  purpose:
    'measures warm logins, growth, heap, cold starts, first look-ups, many at a time, checks and changes, in some minutes',
  options: {},
  example: '',
} as const satisfies Command;

await runCommand(COMMAND, async () => {
  await build();
  console.log(`${cpus().length} cores (${process.arch}), Node ${process.versions.node}\n`);

  // What runs in this process goes first: the processes that are started after it leave traces in its heap.
  report(
    'Warm login: JSON text in, JSON text out, against JSON.parse and JSON.stringify of the same event',
    ['event', 'bytes', 'bare µs', 'login µs', 'ratio'],
    await warmLogins(),
  );
  report(
    'Warm login: RESPONSE_NAMES=camelCase, against snake_case',
    ['event', 'snake_case µs', 'camelCase µs', 'ratio'],
    await camelCaseLogins(),
  );
  report(
    'Growth: SAML logins by number of attributes, against a handler that looks at nothing',
    ['attributes', 'validated µs', 'login µs', 'ratio', 'login µs per attribute'],
    await attributeGrowth(),
  );
  report(
    'Many SAML logins: throughput, percentiles, and the heap after a full collection',
    ['logins', 'a second', 'p50 µs', 'p99 µs', 'p99 / p50', 'heap KB', 'since the start KB'],
    await manyLogins(),
  );
  const { start, description } = coldStartClient();
  report(
    `Cold start: process start to first response, ${description}`,
    ['function', 'median ms', 'ratio to empty'],
    await coldStarts(start),
  );
  report(
    'First logins of a process, by what the handler asks a server on this machine for',
    ['a login that asks for', 'median ms'],
    await outsideLogins(),
  );

  report(CONCURRENT_TITLE, CONCURRENT_HEADER, await concurrentLogins());

  report(
    'Checks: logins of one process, by its own clock',
    ['a login with', 'first ms', 'later ms', 'unchecked ms'],
    await checkCosts(),
  );

  report(
    'Growing inputs: the login by a mapping with every kind of rule, and JSON.parse of the same event',
    ['input', '1 KB: ms', 'parse ms', '32 KB: ms', 'parse ms', 'largest', 'ms', 'parse ms'],
    await growingInputs(),
  );

  report(
    'A change of a handler: from saving it to the last response of all sample events',
    ['events', 'median ms', 'longest ms'],
    await changedHandler(),
  );
  return 0;
});

function report(title: string, header: string[], rows: string[][]): void {
  console.log(`${title}\n\n${table(header, rows)}\n`);
}
