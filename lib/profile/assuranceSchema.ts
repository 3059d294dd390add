/** What a mapping may demand of a sign-in: how, when and for which kind of account it was. */
import * as v from 'valibot';
import { someOf, strict, stringThat, text } from '../schema.ts';

/** Values arrive without surrounding white space, so a text with some would equal none of them. */
export const whole = v.pipe(
  text,
  v.check((value) => value.trim() === value, 'expected a text without white space around it'),
);

/** In milliseconds. */
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^[1-9]\d{0,4}[smhd]$/;

const duration = stringThat(
  (value) => DURATION.test(value),
  'expected a whole number of s, m, h or d, e.g. 8h',
);

/** @param duration as a mapping has it, e.g. `8h` */
export function milliseconds(duration: string): number {
  return Number.parseInt(duration, 10) * (UNITS[duration.slice(-1)] ?? Number.NaN);
}

/** Any of these values is enough; of a list in the list, all are needed. */
const alternatives = someOf(
  v.union([whole, someOf(whole)], 'expected a text, or a list of texts that are all needed'),
);

export const Assurance = v.pipe(
  strict({
    /** The authentication context class (OpenID Connect Core 2). OpenID only. */
    acr: v.optional(someOf(whole)),
    /** The authentication methods (OpenID Connect Core 2, RFC 8176). OpenID only. */
    amr: v.optional(alternatives),
    /** The authentication contexts of Entra, whose tokens of version 2 have no `amr`. OpenID only. */
    acrs: v.optional(alternatives),
    /** How long ago the person signed in at the provider, at most. */
    max_age: v.optional(duration),
    /** The provider's assurance of the account and the identity (eduPerson, REFEDS Assurance Framework). */
    eduPersonAssurance: v.optional(alternatives),
  }),
  v.check(
    (demands) => Object.values(demands).some((demand) => demand !== undefined),
    'expected at least one of acr, amr, acrs, max_age, eduPersonAssurance',
  ),
);

export type Assurance = v.InferOutput<typeof Assurance>;
