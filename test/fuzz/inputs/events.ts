/** Login events as JSON text: valid ones, and those with something else in them. */
import fc from 'fast-check';
import { sampleEvents } from '../../../tools/local/events.ts';
import type { FunctionName } from '../../support/bundle.ts';
import { attribute, openIdEvent, samlEvent } from '../../support/wire.ts';
import { hostileJson, hostileKey, MARKER } from './json.ts';

export interface EventArbitraries {
  valid: fc.Arbitrary<string>;
  /** One value replaced, left out, or with one member more. */
  changed: fc.Arbitrary<string>;
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
  const valid = fc.constantFrom(...events.map((event) => JSON.stringify(event)));
  const member = fc.tuple(hostileKey, hostileJson).map(([key, text]) => `${key}:${text}`);
  const changed = fc
    .record({
      place: fc.constantFrom(...events.flatMap(placesOf)),
      value: fc.option(hostileJson, { freq: 3 }),
      member: fc.option(member),
    })
    .map(({ place, value, member }) =>
      rewritten(place, (json) => (member === null ? value : withMember(json, member))),
    );
  return { valid, changed };
}

/** A value in an event: its number, as JSON has them in order. The first is the event itself. */
interface Place {
  event: object;
  at: number;
}

function placesOf(event: object): Place[] {
  const places: Place[] = [];
  JSON.stringify(event, (_, value) => {
    places.push({ event, at: places.length });
    return value;
  });
  return places;
}

const GAP = 'here stands something else';

/** @param write the JSON in the place of the value, of whose own it may be made; null where it is left out */
function rewritten({ event, at }: Place, write: (json: string) => string | null): string {
  let count = 0;
  let written: string | null = null;
  const text = JSON.stringify(event, (_, value) => {
    if (count++ !== at) return value;
    written = write(JSON.stringify(value));
    return written === null ? undefined : GAP;
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
