/** The sample events of the project itself: an operator has others beside them. */
import { dirname, matchesGlob } from 'node:path';
import { type SampleEvent, sampleEvents } from '../../tools/local/events.ts';
import { codeIn, tableRows, textOf } from './pages.ts';

/** Patterns of `<function>/<name>`, out of the tables of `events/README.md`. */
export async function listedEvents(): Promise<string[]> {
  const rows = tableRows(await textOf('events/README.md')).map(([cell]) => codeIn(cell));
  return rows.filter(([first]) => first?.includes('/')).flatMap(withFolder);
}

/** Those that are in the tables. */
export async function projectSamples(): Promise<SampleEvent[]> {
  const listed = await listedEvents();
  const isListed = ({ functionName, name }: SampleEvent) =>
    listed.some((pattern) => matchesGlob(`${functionName}/${name}`, pattern));
  return (await sampleEvents()).filter(isListed);
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
