/** The sample events that login-hooks ships: an operator has others beside them. */
import { dirname, join } from 'node:path';
import { EVENTS, isOwnSample, type SampleEvent, sampleEvents } from '../../tools/local/events.ts';
import { readJsonFile } from '../../tools/shared/commandLine.ts';
import { codeIn, tableRows, textOf } from './pages.ts';

export async function projectSamples(): Promise<SampleEvent[]> {
  return (await sampleEvents()).filter((sample) => !isOwnSample(sample));
}

export async function sampleEvent(functionName: string, name: string): Promise<unknown> {
  return readJsonFile(join(EVENTS, functionName, `${name}.json`));
}

/** Patterns of `<function>/<name>`, out of the tables of `events/README.md`: names without a folder have that of the row's first. */
export async function listedEvents(): Promise<string[]> {
  const rows = tableRows(await textOf('events/README.md')).map(([cell]) => codeIn(cell));
  return rows
    .filter(([first]) => first?.includes('/'))
    .flatMap(([first = '', ...names]) => [
      first,
      ...names.map((name) => (name.includes('/') ? name : `${dirname(first)}/${name}`)),
    ]);
}
