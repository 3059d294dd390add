/** With handlers that are mappings: no input makes a login slow, however large it is. */
import fc from 'fast-check';
import type { FunctionName } from '../../support/bundle.ts';
import {
  type Grown,
  grown,
  grownOpenIdEvent,
  grownSamlEvent,
  openIdInputs,
  samlInputs,
  stepsTo,
} from '../arbitraries/sizes.ts';
import { type LoadOptions, loadFunction } from '../loginFunction.ts';
import { isForSaml } from '../mappings.ts';
import { type Property, property } from '../property.ts';
import type { Mappings } from './mappings.ts';

/** Those that look at most. */
const CHOSEN = [
  ...['every form of a group', 'distinguished names denied', 'separate values', 'texts and prefixes denied'],
  ...['scopes', 'fallbacks', 'issuers', 'unverified accepted', 'generated 0', 'generated 1'],
];

/** A login's time is bounded for every event; here it grows. */
export async function sizeProperties(mappings: Mappings, options: LoadOptions): Promise<Property[]> {
  const all = Object.keys(mappings).filter((chosen) => CHOSEN.includes(chosen));
  const forSaml = all.filter((chosen) => isForSaml(mappings[chosen] ?? {}));
  return [
    await sizeProperty(
      'openidLoggedIn',
      fc.tuple(fc.constantFrom(...all), grown(openIdInputs)),
      grownOpenIdEvent,
      options,
    ),
    await sizeProperty(
      'samlLoggedIn',
      fc.tuple(fc.constantFrom(...forSaml), grown(samlInputs)),
      grownSamlEvent,
      options,
    ),
  ];
}

async function sizeProperty(
  name: FunctionName,
  arbitrary: fc.Arbitrary<[chosen: string, grown: Grown]>,
  eventOf: (chosen: string, grown: Grown) => string,
  options: LoadOptions,
): Promise<Property> {
  const { login } = await loadFunction(name, options);
  return property(
    `${name}: an input that grows`,
    1,
    arbitrary,
    async ([chosen, grown]) => {
      for (const bytes of stepsTo(grown.bytes)) await login(eventOf(chosen, { ...grown, bytes }));
    },
    { isSlow: true },
  );
}
