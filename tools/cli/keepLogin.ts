/** Keeps a login as a sample without the person: shows what stays, and writes it where that is confirmed. */
import { styleText } from 'node:util';
import { showable } from '../../lib/text.ts';
import { type KeepOptions, planKeep, type SamplePlan } from '../keep/planKeep.ts';
import { writeKept } from '../keep/writeKept.ts';
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
  console.log(isConfirmed ? written(plan) : 'Nothing is written yet. If all of this may stay, add --yes.');
  return true;
}

function planText({ stays, blockers, files }: SamplePlan): string {
  if (blockers.length > 0) {
    const title = styleText('red', 'The login cannot be kept:', { stream: process.stdout });
    return [title, ...blockers.map((blocker) => `  ${blocker}`)].join('\n');
  }
  const reasons = Map.groupBy(stays, ({ why }) => why);
  const lines = Array.from(reasons, ([why, ones]) => {
    const texts = new Set(ones.map(({ text }) => JSON.stringify(showable(text))));
    return `  ${why}: ${[...texts].join(', ')}`;
  });
  const head = `These texts of the login stay in ${files.join(', ')}. All others get stand-ins.`;
  return [head, ...lines, ''].join('\n');
}

function written({ files: [file = ''] }: SamplePlan): string {
  return `The sample is ${file}. Try it: ${typed('check', file)}`;
}
