/** Keeps a login as a sample without the person: shows what stays, and writes it where that is confirmed. */
import { styleText } from 'node:util';
import { showable } from '../../lib/text.ts';
import { type KeepOptions, planKeep, type SamplePlan, writeKept } from '../keep/plan.ts';
import { typed } from '../shared/usage.ts';

/**
 * @param isConfirmed whether the files are written; otherwise only the plan is shown
 * @returns whether nothing stands in the way
 */
export async function keepLogin(options: KeepOptions, isConfirmed: boolean): Promise<boolean> {
  const plan = await planKeep(options);
  console.log(planText(plan));
  if (plan.blockers.length > 0) return false;
  if (isConfirmed) await writeKept(plan);
  const [file = ''] = plan.files;
  const written = `The sample is ${file}. Try it: ${typed('check', file)}`;
  console.log(isConfirmed ? written : 'Nothing is written yet. If all of this may be kept, add --yes.');
  return true;
}

function planText({ kept, blockers, files }: SamplePlan): string {
  if (blockers.length > 0) {
    const title = styleText('red', 'The login cannot be kept:', { stream: process.stdout });
    return [title, ...blockers.map((blocker) => `  ${blocker}`)].join('\n');
  }
  const { standard = [], others = [] } = Object.groupBy(kept, ({ isStandard }) =>
    isStandard ? 'standard' : 'others',
  );
  const lines = Array.from(
    Map.groupBy(others, ({ why }) => why),
    ([why, ones]) => `  ${why}: ${textsOf(ones)}`,
  );
  const head = `These texts of the login are kept in ${files.join(', ')}. All others get pseudonyms.`;
  const ofStandards = `  Of standards and providers' documents, in every login: ${textsOf(standard)}`;
  return [head, ...lines, ...(standard.length > 0 ? [ofStandards] : []), ''].join('\n');
}

function textsOf(kept: SamplePlan['kept']): string {
  return [...new Set(kept.map(({ text }) => JSON.stringify(showable(text))))].join(', ');
}
