/** A canary in every leaf and every key of an event: nothing of it is in what would be written. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { isJsonObject } from '../../lib/schema.ts';
import { type Rewrite, rewriteEvent } from '../../tools/keep/leaves.ts';
import { eventInside } from '../../tools/local/httpEvent.ts';
import { projectSamples } from '../support/projectSamples.ts';
import { canary, engine, plan, writtenText } from './keeping.ts';

afterAll(() => engine.close());

/** Where anything else would be another login, or no event. */
const MUST_STAY = [
  'issuer',
  'time',
  'lifetime',
  'tokenType',
  'format',
  'method',
  'attributeName',
  'claimName',
  'header',
];
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const SAMPLES = (await projectSamples()).map((sample) => ({
  ...sample,
  title: `${sample.functionName}/${sample.name}`,
}));

/** The event with canaries for all words; UUIDs and times are as they were. */
function planted(event: unknown): { event: unknown; canaries: Set<string> } {
  const canaries = new Set<string>();
  const made = new Map<string, string>();
  const canaryFor = (word: string) => {
    const key = word.toLowerCase();
    made.set(key, made.get(key) ?? canary(key, made.size));
    const one = canary(word, [...made.keys()].indexOf(key));
    canaries.add(one.toLowerCase());
    return one;
  };
  const plant: Rewrite = (leaf, { role }) => {
    if (typeof leaf === 'number' || MUST_STAY.includes(role) || /^(?:true|false|[01])$/i.test(leaf))
      return leaf;
    const words = leaf.split(UUID).map((part) => part.replace(/\p{L}{2,}\d*/gu, canaryFor));
    const uuids = leaf.match(UUID) ?? [];
    return words.flatMap((part, index) => [part, uuids[index] ?? '']).join('') as typeof leaf;
  };
  return { event: withMore(rewriteEvent(event, plant), canaryFor), canaries };
}

/** Canaries where names stand, and in places that a provider may fill. */
function withMore(event: unknown, canaryFor: (word: string) => string): unknown {
  if (!isJsonObject(event)) return event;
  const [one, two, three, four] = ['first', 'second', 'third', 'fourth'].map((word) =>
    canaryFor(`planted${word}`),
  );
  const more = {
    [one ?? '']: { [two ?? '']: [three, { deep: `${four}@${one}.${two}` }] },
    birthdate: '1815-12-10',
  };
  if (isJsonObject(event.idToken)) {
    const otherClaims = { ...(event.idToken.otherClaims as object), ...more };
    return { ...event, idToken: { ...event.idToken, otherClaims }, [two ?? '']: three };
  }
  const assertion = event.assertion as { assertionAttributeStatement: object[] };
  const attribute = {
    attributeName: `https://${one}.${two}/${three}`,
    attributeFriendlyName: four,
    attributeNameFormat: `urn:x:${four}`,
    attributeValue: '1815-12-10',
  };
  const assertionAttributeStatement = [...assertion.assertionAttributeStatement, attribute];
  return { ...event, assertion: { ...assertion, assertionAttributeStatement } };
}

/** Each part of a text, of so many characters. */
function partsOf(text: string, length: number): string[] {
  return Array.from({ length: text.length - length + 1 }, (_, start) => text.slice(start, start + length));
}

function foundIn(text: string, parts: Iterable<string>): string[] {
  const lower = text.toLowerCase();
  return [...new Set(parts)].filter((part) => lower.includes(part));
}

const DEFAULT = SAMPLES.map((sample) => ({ ...sample, handler: undefined }));
const OWN = SAMPLES.flatMap(({ expected, ...sample }) =>
  expected?.handler === undefined ? [] : [{ ...sample, handler: expected.handler }],
);

describe.each([...DEFAULT, ...OWN])('$title by $handler', ({ functionName, event, handler }) => {
  test('leaves no trace of a canary', async () => {
    const { event: wire, canaries } = planted(eventInside(event));
    expect(canaries.size).toBeGreaterThan(4);
    const kept = await plan(functionName, wire, { handlerModule: handler });
    expect(kept.blockers).toEqual([]);
    const { raw, readable } = writtenText(kept);
    expect(
      foundIn(
        readable,
        [...canaries].flatMap((one) => partsOf(one, 3)),
      ),
    ).toEqual([]);
    expect(
      foundIn(
        raw,
        [...canaries].flatMap((one) => partsOf(one, 7)),
      ),
    ).toEqual([]);
    const uuids = JSON.stringify(wire)
      .match(UUID)
      ?.filter((one) => !kept.stays.some(({ text }) => text.includes(one)));
    expect(foundIn(raw, uuids ?? [])).toEqual([]);
    expect(readable).not.toContain('1815-12');
  });
});
