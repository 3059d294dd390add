/** What stands in the way of a proof, in sentences: which field differs, and which replaced text it takes to have it right. */
import type { Answered } from '../local/answered.ts';
import { originOf } from './askedUrls.ts';
import type { Fitted } from './fitting.ts';
import { type Ask, differingFields } from './proof.ts';
import type { Substitution } from './substitution.ts';

interface Failed {
  /** As `differingFields` names them. */
  fields: readonly string[];
  before: Answered;
  substitution: Substitution;
  fit: Fitted;
  ask: Ask;
}

/** An event has some hundred leaves; each costs some milliseconds. */
const MAX_LEAVES = 300;
/** In milliseconds. */
const MAX_SEARCH_MS = 5_000;
/** Where the handler looks at more texts than these, the sentence names no more. */
const MAX_NAMED = 5;

/** None where no field differs. No sentence has a value of the event. */
export async function obstacles(failed: Failed): Promise<string[]> {
  if (failed.fields.length === 0) return [];
  const { response, reason } = failed.fit.after;
  if (response === null) return [`The function does not answer the stand-in (${reason}). Please try again.`];
  const causes = await replacedCauses(failed);
  // Another type has other fields.
  const told = failed.fields.includes('type') ? ['type', 'requests'] : failed.fields;
  const fields = failed.fields.filter((field) => told.includes(field));
  return fields.map((field) => sentence(field, causes, failed.fit.after));
}

function sentence(field: string, causes: readonly string[], after: Answered): string {
  const what =
    field === 'requests'
      ? `The handler asks ${originOf(String(after.asked.unanswered[0]))} something that is not recorded for the stand-in`
      : `The kept event would be answered with another ${field}`;
  if (causes.length === 0)
    return `${what}, and no single text explains it: the handler compares replaced texts with each other, or with texts of its own.`;
  const where = causes.slice(0, MAX_NAMED).join(', ');
  return `${what}, because the handler looks at ${where}, which ${causes.length > 1 ? 'are' : 'is'} replaced. Only texts that a mapping names can stay.`;
}

/** The paths of leaves that bring the answer nearer, each for itself, when they are as they were. */
async function replacedCauses({ fields, before, substitution, fit, ask }: Failed): Promise<string[]> {
  const paths = new Map(substitution.replacedPaths.map((path) => [JSON.stringify(path), path]));
  const requests = fit.exchanges.map(({ request }) => request);
  const causes: string[] = [];
  const begun = performance.now();
  for (const path of [...paths.values()].slice(0, MAX_LEAVES)) {
    if (performance.now() - begun > MAX_SEARCH_MS) break;
    const { event, exchanges: guessed } = substitution.restored(path);
    const exchanges = guessed.map((one, index) => ({ ...one, request: requests[index] as string }));
    const left = differingFields(before, await ask(event, exchanges), substitution);
    const isNearer = fields.some((field) => !left.includes(field));
    if (isNearer) causes.push(pathText(substitution.shownPath(path)));
  }
  return causes;
}

/** A path begins with the name of a field. */
function pathText(path: readonly (string | number)[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .slice(1);
}
