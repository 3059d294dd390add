/**
 * `npm run bench`: what a login costs, each figure beside what it is compared with, all in one run. Ratios
 * hold when the machine's speed drifts; milliseconds are this machine's.
 */
import { cpus } from 'node:os';
import { build } from '../../tools/bundle/build.ts';
import { startCommand } from '../../tools/shared/commandLine.ts';
import { table } from '../../tools/shared/readable.ts';
import type { Command } from '../../tools/shared/usage.ts';
import { coldStarts } from './coldStart.ts';
import { GROWTH_HEADER, growingInputs } from './growth.ts';
import { manyLogins, warmLogins } from './warm.ts';

interface Part {
  title: string;
  header: string[];
  rows(): Promise<string[][]>;
}

/** What measures the heap goes first: the parts after it leave traces there. */
const PARTS: Record<string, Part> = {
  warm: {
    title: 'Warm login: JSON text in, JSON text out, against JSON.parse and JSON.stringify of the same event',
    header: ['event', 'bytes', 'bare µs', 'login µs', 'ratio'],
    rows: warmLogins,
  },
  many: {
    title: 'Many SAML logins: throughput, and the heap after a full collection',
    header: ['logins', 'a second', 'heap KB', 'since the start KB'],
    rows: manyLogins,
  },
  start: {
    title: 'Cold start: CPU time of the main thread, from the start of its process to the first response',
    header: ['function', 'ms', 'ratio to empty'],
    rows: coldStarts,
  },
  growth: {
    title: 'Growing inputs of up to 6 MB: the slowest logins, and JSON.parse of the same event',
    header: GROWTH_HEADER,
    rows: growingInputs,
  },
};

const COMMAND = {
  name: 'bench',
  purpose: 'measures warm logins, heap, cold starts and growing inputs, in some minutes',
  positionals: [
    {
      name: '<part>',
      about: `one part alone: ${Object.keys(PARTS).join(', ')}`,
      isOptional: true,
      choices: Object.keys(PARTS),
    },
  ],
  options: {},
  example: 'growth',
} as const satisfies Command;

await startCommand(COMMAND, async ({ positionals: [chosen] }) => {
  await build();
  console.log(`${cpus().length} cores (${process.arch}), Node ${process.versions.node}\n`);
  for (const [name, part] of Object.entries(PARTS)) {
    if (chosen !== undefined && chosen !== name) continue;
    const rows = await part.rows();
    console.log(`${part.title}\n\n${table(part.header, rows)}\n`);
  }
  return 0;
});
