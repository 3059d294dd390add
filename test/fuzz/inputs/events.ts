/** Login events as JSON text: valid, almost valid, and with something hostile in them. */
import fc from 'fast-check';
import { sampleEvents } from '../../../tools/local/events.ts';
import type { FunctionName } from '../../support/bundle.ts';
import { attribute, openIdEvent, samlEvent } from '../../support/wire.ts';
import { anyJson, hostileJson, hostileKey, MARKER } from './json.ts';
import { placesIn, put } from './places.ts';

export interface EventArbitraries {
  valid: fc.Arbitrary<string>;
  /** One value replaced by something else, left out, or there twice. */
  almostValid: fc.Arbitrary<string>;
  /** One value, or one more key and its value, of the kinds that break things. */
  hostile: fc.Arbitrary<string>;
  /** Whatever somebody may send. */
  any: fc.Arbitrary<string>;
}

/** Made of the sample events, half of them with the marker in whatever may not be logged. */
export async function eventArbitraries(name: FunctionName): Promise<EventArbitraries> {
  const own = name === 'openidLoggedIn' ? openIdEvent() : samlEvent();
  const samples = (await sampleEvents())
    .filter(({ functionName, event }) => functionName === name && !('requestContext' in (event as object)))
    .map(({ event }) => event as object);
  return arbitrariesOf([own, marked(own), ...samples, ...samples.map(marked)]);
}

export function arbitrariesOf(events: readonly object[]): EventArbitraries {
  const places = events.map(placesIn);
  const values = places.flatMap(({ values }) => values);
  const members = places.flatMap(({ members }) => members);
  const keys = [...new Set(places.flatMap(({ keys }) => keys))];
  const key = fc.oneof(
    { weight: 3, arbitrary: hostileKey },
    { weight: 1, arbitrary: fc.constantFrom(...keys) },
  );

  const valid = fc.constantFrom(...events.map((event) => JSON.stringify(event)));
  const almostValid = fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom(...values), anyJson.map(jsonText))
        .map(([at, text]) => put(at, text)),
    },
    { weight: 2, arbitrary: fc.constantFrom(...places.flatMap(({ variants }) => variants)) },
  );
  const hostile = fc.oneof(
    fc.tuple(fc.constantFrom(...values), hostileJson).map(([at, text]) => put(at, text)),
    fc
      .tuple(fc.constantFrom(...members), key, hostileJson)
      .map(([at, name, text]) => put(at, `${name}:${text}`)),
  );
  const any = fc.oneof(valid, almostValid, hostile, anyJson.map(jsonText), hostileJson);
  return { valid, almostValid, hostile, any };
}

function jsonText(value: unknown): string {
  return JSON.stringify(value);
}

/**
 * The event with the marker in every text but the issuer, the date-times and the names of attributes; and in the
 * name of a claim and an attribute, of a form that may not be shown.
 */
function marked(event: object): object {
  const copy = JSON.parse(JSON.stringify(event), (key, value) => {
    if (typeof value !== 'string') return value;
    const keep = key === 'iss' || key === 'assertionIssuer' || /Name$/.test(key) || /^\d{4}-/.test(value);
    return keep ? value : `${value}${MARKER}`;
  });
  if (copy.idToken) copy.idToken.otherClaims[`claim ${MARKER}`] = MARKER;
  copy.assertion?.assertionAttributeStatement.push(attribute(`name ${MARKER}`, MARKER, `name ${MARKER}`));
  return copy;
}
