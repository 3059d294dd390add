/** Whatever comes in, one of the three responses goes out, and nothing that was sent is logged. */
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { UserLoginResponse } from '../../lib/automation/response.ts';
import { unwrap } from '../../tools/events.ts';
import { attribute, openIdEvent, overHttp, samlEvent } from '../support/wire.ts';

let logged = '';
for (const level of ['debug', 'info', 'warn', 'error'] as const) {
  jest.spyOn(console, level).mockImplementation((line: unknown) => {
    logged += `${line}\n`;
  });
}
const { handler: openidLoggedIn } = await import('../../functions/openidLoggedIn.ts');
const { handler: samlLoggedIn } = await import('../../functions/samlLoggedIn.ts');

const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 5_000 } as never;
const FUNCTIONS = [
  { name: 'openidLoggedIn', handler: openidLoggedIn, valid: openIdEvent },
  { name: 'samlLoggedIn', handler: samlLoggedIn, valid: samlEvent },
];

afterAll(() => {
  jest.restoreAllMocks();
});

describe.each(FUNCTIONS)('$name', ({ handler, valid }) => {
  async function answer(event: unknown) {
    const { answer } = unwrap(await handler(event as never, context));
    return v.parse(UserLoginResponse, answer);
  }

  const anyJson = fc.jsonValue({ maxDepth: 6 });
  /** A valid event, one value of which is replaced by something else. */
  const almostValid = fc.constant(null).chain(() => {
    const paths = leafPaths(valid());
    return fc
      .tuple(fc.constantFrom(...paths), anyJson)
      .map(([path, value]) => replaced(valid(), path, value));
  });

  test('any JSON as a direct event gives a response, and authorizes nobody', async () => {
    await fc.assert(
      fc.asyncProperty(anyJson, async (event) => {
        expect((await answer(event)).type).toBe('ErrorResponse');
      }),
      { numRuns: 500 },
    );
  });

  test('any JSON, and any text, as an HTTP body gives a response, and authorizes nobody', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          anyJson.map((value) => JSON.stringify(value)),
          fc.string(),
        ),
        async (body) => {
          expect((await answer(overHttp(body))).type).toBe('ErrorResponse');
        },
      ),
      { numRuns: 500 },
    );
  });

  test('any envelope gives a response', async () => {
    const envelope = fc.record(
      {
        requestContext: fc.oneof(fc.constant({}), fc.constant({ elb: {} }), anyJson),
        headers: fc.oneof(
          fc.dictionary(fc.string(), anyJson),
          fc.constant({ 'content-type': 'application/json' }),
          anyJson,
        ),
        multiValueHeaders: fc.oneof(fc.dictionary(fc.string(), fc.array(fc.string())), anyJson),
        body: fc.oneof(fc.string(), fc.base64String(), anyJson),
        isBase64Encoded: fc.oneof(fc.boolean(), anyJson),
      },
      { requiredKeys: ['requestContext'] },
    );
    await fc.assert(
      fc.asyncProperty(envelope, async (event) => {
        expect((await answer(event)).type).toBe('ErrorResponse');
      }),
      { numRuns: 500 },
    );
  });

  test('an event that is almost valid gives a response, the same over HTTP as directly', async () => {
    await fc.assert(
      fc.asyncProperty(almostValid, async (event) => {
        const direct = await answer(event);
        const http = await answer(overHttp(event));
        expect(http).toEqual(JSON.stringify(event).includes('__proto__') ? expect.anything() : direct);
      }),
      { numRuns: 500 },
    );
  });

  test('nothing that an event holds is logged, but the issuer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[a-z]{8}$/), almostValid, async (word, event) => {
        const marker = `MARKER-${word}`;
        logged = '';
        await answer(marked(event, marker));
        await answer(overHttp(marked(event, marker)));
        await answer(overHttp(`${JSON.stringify(marked(event, marker))}x`));
        expect(logged).not.toContain(marker);
        expect(logged).toContain('"event":"login"');
      }),
      { numRuns: 200 },
    );
  });
});

test('the markers are where they can be found: the issuer is one of the values', async () => {
  const event = openIdEvent();
  event.idToken.iss = 'MARKER-issuer';
  logged = '';
  await openidLoggedIn(event as never, context);
  expect(logged).toContain('MARKER-issuer');
});

type Path = (string | number)[];

function leafPaths(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.entries(value).flatMap(([key, entry]) =>
    leafPaths(entry, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length > 0 ? [path, ...below] : below;
}

function replaced(event: object, path: Path, value: unknown): object {
  const parents = path.slice(0, -1);
  const parent = parents.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], event);
  (parent as Record<string, unknown>)[path.at(-1) ?? ''] = value;
  return event;
}

/**
 * The event with the marker in every text but the issuer, the date-times and the names of attributes; and in the
 * name of a claim and an attribute, of a form that may not be shown.
 */
function marked(event: object, marker: string): object {
  const copy = JSON.parse(JSON.stringify(event), (key, value) => {
    if (typeof value !== 'string') return value;
    const keep = key === 'iss' || key === 'assertionIssuer' || /Name$/.test(key) || /^\d{4}-/.test(value);
    return keep ? value : `${value}${marker}`;
  });
  const claims = copy.idToken?.otherClaims;
  if (typeof claims === 'object' && claims !== null) claims[`claim ${marker}`] = marker;
  if (Array.isArray(copy.assertion?.assertionAttributeStatement)) {
    copy.assertion.assertionAttributeStatement.push(attribute(`name ${marker}`, marker, `name ${marker}`));
  }
  return copy;
}
