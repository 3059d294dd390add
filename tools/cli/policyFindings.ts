/** What is wrong with handlers as policies: rules and rows that no event hits, and what gets in when events are changed. */
import type { AttackResult } from '../explain/attack/findings.ts';
import { mappingCoverages } from '../explain/mappingCoverages.ts';
import type { Engine } from '../local/engine.ts';
import { errorLines, notAttackedLines } from './attackReport.ts';
import type { Checked } from './checkReport.ts';
import { notHitIn } from './coverageReport.ts';

export interface PolicyFindings {
  /** Texts of a line each. */
  findings: string[];
  /** What a last line says of it; left out where there is nothing to say. */
  total?: string;
}

export async function coverageFindings(
  answered: readonly Checked[],
  engine: Engine,
): Promise<PolicyFindings> {
  const coverages = await mappingCoverages(answered, engine);
  const findings = coverages.flatMap(({ handler, coverage }) =>
    notHitIn(coverage).map((line) => `${handler}: no event hits ${line}`),
  );
  if (coverages.length === 0) return { findings };
  return {
    findings,
    total: findings.length === 0 ? 'every rule and table row hit' : `${findings.length} not hit`,
  };
}

/** Notes are for `check --attack`. */
export function attackFindings(result: AttackResult): PolicyFindings {
  return {
    findings: [...errorLines(result), ...result.unused, ...notAttackedLines(result)],
    total: `${result.outcomes.refused} attacks refused`,
  };
}
