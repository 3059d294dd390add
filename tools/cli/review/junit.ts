/** A review as JUnit XML, which CI services show as tests: one for each event, and one for each finding. */
import { showable } from '../../../lib/text.ts';
import { changeText, type Review } from './review.ts';

interface TestCase {
  /** What it belongs to, e.g. `openidLoggedIn`. */
  classname: string;
  name: string;
  /** Null where it passed. */
  failure: string | null;
}

export function junitReport(review: Review): string {
  const { against, events, changes, wrong, findings, inForce } = review;
  const texts = new Map(wrong.map(({ sample, text }) => [sample, text]));
  const cases: TestCase[] = [
    ...events.map(({ sample }) => ({
      classname: sample.functionName,
      name: sample.name,
      failure: texts.get(sample) ?? null,
    })),
    ...findings.map((line) => ({ classname: 'handlers', name: line, failure: line })),
  ];
  const failures = cases.filter(({ failure }) => failure !== null).length;
  const changed = changes.map((change) => `${change.kind}: ${changeText(change)}`);
  const compared = against === null ? [] : [`Compared with ${against}`, ...changed];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites><testsuite name="login-hooks" tests="${cases.length}" failures="${failures}">`,
    ...cases.map(testCase),
    `<system-out>${xml([...compared, ...inForce].join('\n'))}</system-out>`,
    '</testsuite></testsuites>',
  ].join('\n');
}

function testCase({ classname, name, failure }: TestCase): string {
  const names = `classname="${xml(classname)}" name="${xml(name)}"`;
  if (failure === null) return `<testcase ${names}/>`;
  return `<testcase ${names}><failure message="${xml(failure)}"/></testcase>`;
}

/** XML 1.0 has no control characters. */
function xml(text: string): string {
  const lines = text.split('\n').map(showable);
  const escaped = lines.join('\n').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return escaped.replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
