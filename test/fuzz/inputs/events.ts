/** Login events as JSON text: valid, almost valid, and with something hostile in them. */
import fc from 'fast-check';
import { sampleEvents } from '../../../tools/local/events.ts';
import type { FunctionName } from '../../support/bundle.ts';
import { attribute, openIdEvent, samlEvent } from '../../support/wire.ts';
import { anyJson, hostileJson, hostileKey, MARKER } from './json.ts';

export interface EventArbitraries {
  valid: fc.Arbitrary<string>;
  /** One value replaced by something else, or left out. */
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
  const places: Place[] = [];
  const keys = new Set<string>();
  for (const event of events) {
    let at = 0;
    JSON.stringify(event, (key, value) => {
      places.push({ event, at: at++ });
      keys.add(JSON.stringify(key));
      return value;
    });
  }
  const place = fc.constantFrom(...places);
  const anyText = anyJson.map((value) => JSON.stringify(value));
  const key = fc.oneof(
    { weight: 3, arbitrary: hostileKey },
    { weight: 1, arbitrary: fc.constantFrom(...keys) },
  );

  const valid = fc.constantFrom(...events.map((event) => JSON.stringify(event)));
  const almostValid = fc
    .tuple(place, fc.option(anyText, { freq: 3, nil: undefined }))
    .map(([place, text]) => rewritten(place, () => text));
  const hostile = fc.oneof(
    fc.tuple(place, hostileJson).map(([place, text]) => rewritten(place, () => text)),
    fc
      .tuple(place, key, hostileJson)
      .map(([place, key, text]) => rewritten(place, (json) => withMember(json, `${key}:${text}`))),
  );
  const any = fc.oneof(valid, almostValid, hostile, anyText, hostileJson);
  return { valid, almostValid, hostile, any };
}

/** A value in an event: its number, as JSON has them in order. The first is the event itself. */
interface Place {
  event: object;
  at: number;
}

const GAP = 'here stands something else';

/** @param write the JSON in the place of the value, of whose own it may be made; undefined where it is left out */
function rewritten({ event, at }: Place, write: (json: string) => string | undefined): string {
  let count = 0;
  let written: string | undefined;
  const text = JSON.stringify(event, (_, value) => {
    if (count++ !== at) return value;
    written = write(JSON.stringify(value));
    return written === undefined ? undefined : GAP;
  });
  return text?.replace(JSON.stringify(GAP), () => written ?? '') ?? 'null';
}

/** As the last member, which is the one that counts of several with its name. What is no object becomes one. */
function withMember(json: string, member: string): string {
  const isObject = json.startsWith('{') && json !== '{}';
  return isObject ? `${json.slice(0, -1)},${member}}` : `{${member}}`;
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
