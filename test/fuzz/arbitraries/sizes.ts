/** Free-form inputs of an event, grown up to what may arrive. */
import fc from 'fast-check';
import { attribute, openIdEvent, samlEvent } from '../../support/wire.ts';
import { MAX_BODY_BYTES } from '../oracle/request.ts';
import { asBase64, asText } from './http.ts';

/** Lambda's limit for a direct event, in bytes. */
const MAX_EVENT_BYTES = 6_000_000;
/** Where growing starts, in bytes. */
const SMALL = 4_096;
const STEP = 4;

/** One kind of input, made about so large in bytes. */
export interface Grown {
  input: string;
  shape: keyof typeof SHAPES;
  unit: string;
  bytes: number;
  way: keyof typeof WAYS;
}

const WAYS = { directly: (text: string) => text, 'as text': asText, 'as base64': asBase64 };

/** As JSON text. */
const SHAPES = {
  text: (unit: string, bytes: number) => JSON.stringify(repeated(unit, bytes)),
  /** One distinguished name of many parts, below every one that a mapping may mean. */
  name: (_: string, bytes: number) => JSON.stringify(repeated('CN=a,', bytes) + BELOW),
  texts: (unit: string, bytes: number) => JSON.stringify(numbered(unit, bytes)),
  'same texts': (unit: string, bytes: number) =>
    JSON.stringify(Array(Math.ceil(bytes / (JSON.stringify(unit).length + 1))).fill(unit)),
  'long texts': (unit: string, bytes: number) =>
    JSON.stringify(
      Array.from({ length: Math.ceil(bytes / LONG) }, (_, index) => repeated(unit, LONG) + index),
    ),
  object: (unit: string, bytes: number) =>
    JSON.stringify(Object.fromEntries(numbered(unit, bytes / 2).map((name) => [name, unit]))),
  attributes: (unit: string, bytes: number) =>
    JSON.stringify(
      numbered(unit, bytes / 8).map((value, index) =>
        attribute(GROUP_NAMES[index % GROUP_NAMES.length] ?? '', value, index % 2 ? 'memberOf' : value),
      ),
    ),
};

const BELOW = 'OU=Editors,OU=Groups,DC=example,DC=org';
/** Just short of what is read as a name. */
const LONG = 8_000;
const GROUP_NAMES = ['memberOf', 'Role', 'groups', 'other', 'urn:oid:1.3.6.1.4.1.5923.1.1.1.9', 'mail'];

/** A place of the event gets the grown value, as JSON text. */
const PLACE = 'PLACE-OF-THE-GROWN-VALUE';

type OpenIdEvent = ReturnType<typeof openIdEvent>;
const ofToken = (name: keyof OpenIdEvent['idToken']) => (event: OpenIdEvent) =>
  void Object.assign(event.idToken, { [name]: PLACE });
const ofEvent = (name: keyof OpenIdEvent) => (event: OpenIdEvent) =>
  void Object.assign(event, { [name]: PLACE });
const claim = (name: string) => (event: OpenIdEvent) => {
  event.idToken.otherClaims[name] = PLACE;
};
const nested = (event: OpenIdEvent) => {
  event.idToken.otherClaims.realm_access = { roles: PLACE };
};
const CLAIMS = [
  ...[
    'email',
    'given_name',
    'family_name',
    'name',
    'picture',
    'groups',
    'roles',
    'memberOf',
    'Role',
    'contact',
  ],
  ...[
    'eduperson_scoped_affiliation',
    '_claim_names',
    'hasgroups',
    'email_verified',
    'realm_access',
    'xms_edov',
  ],
];
const OPENID_INPUTS: Readonly<Record<string, (event: OpenIdEvent) => void>> = {
  ...Object.fromEntries(CLAIMS.map((name) => [name, claim(name)])),
  'realm_access.roles': nested,
  otherClaims: ofToken('otherClaims'),
  iss: ofToken('iss'),
  aud: ofToken('aud'),
  nonce: ofToken('nonce'),
  accessToken: ofEvent('accessToken'),
  idTokenJwt: ofEvent('idTokenJwt'),
};

type SamlEvent = ReturnType<typeof samlEvent>;
const value = (name: string) => (event: SamlEvent) =>
  void event.assertion.assertionAttributeStatement.push(attribute(name, PLACE));
const NAMES = [...GROUP_NAMES, 'urn:oid:2.5.4.42', 'displayName', 'picture', 'contact'];
const SAML_INPUTS: Readonly<Record<string, (event: SamlEvent) => void>> = {
  ...Object.fromEntries(NAMES.map((name) => [name, value(name)])),
  attributes: ({ assertion }) => void Object.assign(assertion, { assertionAttributeStatement: PLACE }),
  'a name': ({ assertion }) => void assertion.assertionAttributeStatement.push(attribute(PLACE, 'a')),
  'a friendly name': ({ assertion }) =>
    void assertion.assertionAttributeStatement.push(attribute('a', 'b', PLACE)),
  issuer: ({ assertion }) => void Object.assign(assertion, { assertionIssuer: PLACE }),
  issued: ({ assertion }) => void Object.assign(assertion, { assertionIssued: PLACE }),
  audiences: ({ assertion: { assertionConditions: conditions } }) => {
    conditions.conditionsAudienceRestrictions = [{ audienceRestrictionAudience: PLACE as never }];
  },
  'the NameID': ({ assertion }) =>
    void Object.assign(assertion.assertionSubject.subjectNameID, {
      nameIDValue: PLACE,
      nameIDFormat: 'emailAddress',
    }),
};

const GROUP_INPUTS = ['memberOf', 'groups', 'Role', 'roles', 'realm_access.roles'];

const ofNames = fc.constantFrom(
  ...[
    'CN=a,',
    'CN=a+',
    '\\2C',
    '\\ ',
    '\\C3',
    '=',
    '\\',
    'OU=Groups,',
    'CN=Suspended,OU=Groups,DC=example,DC=org',
    ',',
  ],
);
const ofOthers = fc.constantFrom(
  ...[
    'a',
    '@',
    ' ',
    '+',
    '.',
    ':',
    '/',
    '<',
    '0',
    '-',
    '\n',
    '\ud800',
    'ä',
    'e\u0301',
    'ﷺ',
    '1.',
    'aa.',
    'http://',
  ],
  ...[
    'a@',
    'a@b.',
    'member@uni.example',
    'suspended',
    'a ',
    ' a',
    'a, ',
    'd7f9a3b1-52c4-4e0a-8b6d-1f3e5a7c9b20',
  ],
);
const unit = fc.oneof(
  { weight: 3, arbitrary: ofNames },
  { weight: 4, arbitrary: ofOthers },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 6 }) },
);
const EXPONENTS = { min: Math.log2(SMALL), max: Math.log2(MAX_EVENT_BYTES), noNaN: true };

const sizes = fc.double(EXPONENTS).map((exponent) => Math.floor(2 ** exponent));

export function grown(inputs: readonly string[]): fc.Arbitrary<Grown> {
  return fc.record({
    input: fc.oneof(
      fc.constantFrom(...inputs),
      fc.constantFrom(...GROUP_INPUTS.filter((name) => inputs.includes(name))),
    ),
    shape: fc.oneof(
      fc.constantFrom('text' as const, 'name' as const),
      fc.constantFrom(...(Object.keys(SHAPES) as Grown['shape'][])),
    ),
    unit,
    bytes: sizes,
    way: fc.constantFrom(...(Object.keys(WAYS) as Grown['way'][])),
  });
}

/** A text that is made of one part, again and again. */
export interface GrownText {
  unit: string;
  bytes: number;
}

export function grownText(...units: string[]): fc.Arbitrary<GrownText> {
  return fc.record({ unit: fc.oneof(fc.constantFrom(...units), unit), bytes: sizes });
}

export const openIdInputs = Object.keys(OPENID_INPUTS);
export const samlInputs = Object.keys(SAML_INPUTS);

/** The sizes on the way to one, so that what grows faster than it may is found while it is small. */
export function* stepsTo(bytes: number): Generator<number> {
  for (let size = SMALL; size < bytes; size *= STEP) yield size;
  yield bytes;
}

export function grownOpenIdEvent(chosen: string, grown: Grown): string {
  const event = openIdEvent();
  event.tokenType = chosen;
  OPENID_INPUTS[grown.input]?.(event);
  return withGrown(event, grown);
}

export function grownSamlEvent(chosen: string, grown: Grown): string {
  const event = samlEvent();
  event.assertion.assertionAuthnStatement.authnStatementSessionIndex = chosen;
  SAML_INPUTS[grown.input]?.(event);
  return withGrown(event, grown);
}

function withGrown(event: object, { shape, unit, bytes, way }: Grown): string {
  const size = way === 'directly' ? bytes : Math.min(bytes, MAX_BODY_BYTES - SMALL);
  const [before, after] = JSON.stringify(event).split(`"${PLACE}"`);
  return WAYS[way](before + SHAPES[shape](unit, size) + after);
}

/** So many bytes as JSON, about. */
export function repeated(unit: string, bytes: number): string {
  return unit.repeat(Math.ceil(bytes / Buffer.byteLength(JSON.stringify(unit))));
}

function numbered(unit: string, bytes: number): string[] {
  return Array.from(
    { length: Math.ceil(bytes / (JSON.stringify(unit).length + 4)) },
    (_, index) => unit + index,
  );
}
