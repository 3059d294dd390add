/** A process of its own, to its end at the first response: prints the main thread's CPU time in milliseconds. */
import { readFileSync, writeSync } from 'node:fs';

const [module, eventFile] = process.argv.slice(2);
// As Lambda's runtime client has it: one write for each record, and no stream.
for (const level of ['debug', 'info', 'warn', 'error'])
  console[level] = (record) => writeSync(2, `${JSON.stringify(record)}\n`);
const event = JSON.parse(readFileSync(eventFile, 'utf8'));
const { handler } = await import(module);
const response = await handler(event, { awsRequestId: 'bench', getRemainingTimeInMillis: () => 20_000 });
const { user, system } = process.threadCpuUsage();
writeSync(1, JSON.stringify({ cpuMs: (user + system) / 1_000, type: response.type }));
