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

/** Patterns of `<function>/<name>`, out of the tables of `events/README.md`. */
export async function listedEvents(): Promise<string[]> {
  const rows = tableRows(await textOf('events/README.md')).map(([cell]) => codeIn(cell));
  return rows.filter(([first]) => first?.includes('/')).flatMap(withFolder);
}

/** Only the first name of a row, or of a folder, has its folder: `openidLoggedIn/entra`, `entra-groups`. */
function withFolder(names: string[]): string[] {
  let folder = '';
  return names.map((name) => {
    if (!name.includes('/')) return `${folder}/${name}`;
    folder = dirname(name);
    return name;
  });
}
