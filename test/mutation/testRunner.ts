/**
 * Runs tests for Stryker, in its own process. Jest's runner takes two seconds for each mutant, because it starts jest; this one
 * takes 0.1 seconds to load what the mutant is part of, and the time of the tests until one fails.
 */
import { relative } from 'node:path';
import { INSTRUMENTER_CONSTANTS, type InstrumenterContext } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
} from '@stryker-mutator/api/test-runner';
import { registerFreshModules } from './freshModules.ts';
import { fileOf, runTestFile } from './testFile.ts';

type Counts = Record<string, number>;

/** Instrumented modules keep this object: it stays the same, and what it holds changes. */
const context: InstrumenterContext = {};
Object.assign(globalThis, { [INSTRUMENTER_CONSTANTS.NAMESPACE]: context });

class InProcessTestRunner implements TestRunner {
  init(): Promise<void> {
    registerFreshModules(process.cwd());
    return Promise.resolve();
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun({ testFiles = [] }: DryRunOptions): Promise<DryRunResult> {
    const coverage = { static: {} as Counts, perTest: {} as Record<string, Counts> };
    context.mutantCoverage = coverage;
    const tests: TestResult[] = [];
    for (const path of testFiles) {
      const file = relative(process.cwd(), path);
      const outcome = await runTestFile(file, { only: null, onTest });
      if (outcome.failure !== null)
        return { status: DryRunStatus.Error, errorMessage: `${file}: ${outcome.failure}` };
      tests.push(...outcome.tests);
      // Each mutant has modules of its own: what a file runs while it loads is covered by all its tests.
      for (const { id } of outcome.tests) coverage.perTest[id] = sum(coverage.perTest[id], coverage.static);
      for (const mutant of Object.keys(coverage.static)) delete coverage.static[mutant];
    }
    return { status: DryRunStatus.Complete, tests, mutantCoverage: coverage };
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { testFilter = [], activeMutant, hitLimit, sandboxFileName } = options;
    const only = new Set(testFilter);
    let nrOfTests = 0;
    Object.assign(context, { activeMutant: activeMutant.id, hitLimit, hitCount: hitLimit && 0 });
    const known = killers.get(sandboxFileName) ?? [];
    const files = new Set(testFilter.map(fileOf));
    for (const file of new Set([...known, ...files])) {
      if (!files.has(file)) continue;
      const { tests, failure } = await runTestFile(file, { only, onTest });
      nrOfTests += tests.length;
      const timeout = determineHitLimitReached(context.hitCount, context.hitLimit);
      if (timeout) return { status: MutantRunStatus.Timeout };
      const killer = tests.find((test) => test.status === TestStatus.Failed);
      const failureMessage = killer?.failureMessage ?? failure;
      if (failureMessage === null) continue;
      killers.set(sandboxFileName, [...new Set([file, ...known])]);
      const killedBy = [killer?.id ?? testFilter.find((id) => fileOf(id) === file) ?? ''];
      return { status: MutantRunStatus.Killed, killedBy, failureMessage, nrOfTests };
    }
    return { status: MutantRunStatus.Survived, nrOfTests };
  }
}

function onTest(id?: string): void {
  if (id === undefined) delete context.currentTestId;
  else context.currentTestId = id;
}

function sum(one: Counts = {}, other: Counts): Counts {
  const added = Object.entries(other).map(([mutant, count]) => [mutant, count + (one[mutant] ?? 0)] as const);
  return { ...one, ...Object.fromEntries(added) };
}

/** The files whose tests failed for other mutants, by the mutated file; the last one first, which is the likeliest to fail. */
const killers = new Map<string, string[]>();

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessTestRunner)];
