/** The contract, field by field: every field of every model missing, null, of a wrong type, and defaulted. */
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { IdToken, OpenIdUserLoggedInEvent } from '../lib/openid/model.ts';
import {
  AuthorizedUserResponse,
  ErrorResponse,
  error,
  ForbiddenResponse,
  forbidden,
  UserLoginResponse,
} from '../lib/profile/response.ts';
import {
  Assertion,
  AssertionAttribute,
  AudienceRestriction,
  AuthnStatement,
  Conditions,
  NameID,
  SamlUserLoggedInEvent,
  Subject,
  SubjectConfirmation,
} from '../lib/saml/model.ts';
import { problemsOf } from '../lib/schema.ts';
import { attribute, openIdEvent, samlEvent } from './support/wire.ts';

const JUNK = [null, 'text', 1, 1.5, true, [], [1], {}, new Date(0)];

interface Kind {
  expected: string;
  /** Which of `JUNK`, and what besides, is a value of this kind. */
  accepts: unknown[];
  refuses?: unknown[];
}

const string: Kind = { expected: 'expected a string', accepts: ['text', ''] };
const stringOrNull: Kind = { expected: 'expected a string or null', accepts: ['text', '', null] };
const imageUrl: Kind = {
  expected: 'expected a string or null',
  accepts: ['https://example.org/ada.png', null],
};
const integer: Kind = {
  expected: 'expected an integer',
  accepts: [1, 0, -1, 2 ** 53],
  refuses: ['1', 1.5, Number.POSITIVE_INFINITY, Number.NaN],
};
const dateTime: Kind = {
  expected: 'expected a date-time',
  accepts: ['2026-11-21T10:00:00Z'],
  refuses: ['2026-02-30T00:00:00Z', '21 November 2026', ''],
};
const model: Kind = { expected: 'expected an object', accepts: [] };
const strings: Kind = { expected: 'expected an array', accepts: [[], ['a', 'b']] };
const models: Kind = { expected: 'expected an array', accepts: [[]] };
const freeForm: Kind = { expected: 'expected an object', accepts: [{}, { any: ['thing', { deep: null }] }] };
const email: Kind = {
  expected: 'expected an e-mail address',
  accepts: ['a@b', 'ada+x@example.org'],
  refuses: ['', 'ada', '@example.org', 'ada@', 'a@b@c', 'a b@c', 'a@b\n'],
};
const uuids: Kind = {
  expected: 'expected an array',
  accepts: [[], ['5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30', '5F0C9D1E-3B7A-4C52-9E86-2D4B8A1F6C30']],
};

interface Field {
  wire: string;
  attribute: string;
  kind: Kind;
  /** What a missing field becomes; a field without it is required. */
  defaultValue?: unknown;
}

interface ModelCase {
  name: string;
  schema: v.GenericSchema;
  valid: Record<string, unknown>;
  fields: Field[];
}

const field = (wire: string, attribute: string, kind: Kind): Field => ({ wire, attribute, kind });
const optional = (wire: string, attribute: string, kind: Kind, defaultValue: unknown): Field => ({
  ...field(wire, attribute, kind),
  defaultValue,
});
const { assertion } = samlEvent();
const { assertionSubject: subject, assertionConditions: conditions } = assertion;

const MODELS: ModelCase[] = [
  {
    name: 'OpenIdUserLoggedInEvent',
    schema: OpenIdUserLoggedInEvent,
    valid: openIdEvent(),
    fields: [
      field('accessToken', 'access_token', string),
      field('tokenType', 'token_type', string),
      field('idToken', 'id_token', model),
      field('idTokenJwt', 'id_token_jwt', string),
      field('expiresIn', 'expires_in', integer),
      optional('refreshToken', 'refresh_token', stringOrNull, null),
    ],
  },
  {
    name: 'IdToken',
    schema: IdToken,
    valid: openIdEvent().idToken,
    fields: [
      field('iss', 'iss', string),
      field('sub', 'sub', string),
      field('aud', 'aud', strings),
      field('exp', 'exp', integer),
      field('iat', 'iat', integer),
      optional('nonce', 'nonce', stringOrNull, null),
      optional('otherClaims', 'other_claims', freeForm, {}),
    ],
  },
  {
    name: 'SamlUserLoggedInEvent',
    schema: SamlUserLoggedInEvent,
    valid: samlEvent(),
    fields: [field('assertion', 'assertion', model)],
  },
  {
    name: 'Assertion',
    schema: Assertion,
    valid: assertion,
    fields: [
      field('assertionId', 'id', string),
      field('assertionIssued', 'issued', dateTime),
      field('assertionIssuer', 'issuer', string),
      field('assertionSubject', 'subject', model),
      field('assertionConditions', 'conditions', model),
      field('assertionAuthnStatement', 'authn_statement', model),
      field('assertionAttributeStatement', 'attribute_statement', models),
    ],
  },
  {
    name: 'Subject',
    schema: Subject,
    valid: subject,
    fields: [
      field('subjectConfirmations', 'confirmations', models),
      field('subjectNameID', 'name_id', model),
    ],
  },
  {
    name: 'SubjectConfirmation',
    schema: SubjectConfirmation,
    valid: subject.subjectConfirmations[0] ?? {},
    fields: [
      field('subjectConfirmationMethod', 'method', string),
      field('subjectConfirmationAddress', 'address', string),
      field('subjectConfirmationNotOnOrAfter', 'notOnOrAfter', dateTime),
      field('subjectConfirmationRecipient', 'recipient', string),
    ],
  },
  {
    name: 'NameID',
    schema: NameID,
    valid: subject.subjectNameID,
    fields: [
      field('nameIDQualifier', 'qualifier', stringOrNull),
      field('nameIDSPNameQualifier', 'sp_name_qualifier', stringOrNull),
      field('nameIDSPProvidedID', 'sp_provided_id', stringOrNull),
      field('nameIDFormat', 'format', stringOrNull),
      field('nameIDValue', 'value', string),
    ],
  },
  {
    name: 'Conditions',
    schema: Conditions,
    valid: conditions,
    fields: [
      field('conditionsNotBefore', 'no_before', dateTime),
      field('conditionsNotOnOrAfter', 'not_on_or_after', dateTime),
      field('conditionsAudienceRestrictions', 'audience_restrictions', models),
    ],
  },
  {
    name: 'AudienceRestriction',
    schema: AudienceRestriction,
    valid: conditions.conditionsAudienceRestrictions[0] ?? {},
    fields: [field('audienceRestrictionAudience', 'audience', strings)],
  },
  {
    name: 'AuthnStatement',
    schema: AuthnStatement,
    valid: assertion.assertionAuthnStatement,
    fields: [
      field('authnStatementInstant', 'instant', dateTime),
      field('authnStatementSessionIndex', 'session_index', string),
      field('authnStatementLocality', 'locality', string),
    ],
  },
  {
    name: 'AssertionAttribute',
    schema: AssertionAttribute,
    valid: attribute('Role', 'staff'),
    fields: [
      field('attributeName', 'name', string),
      field('attributeFriendlyName', 'friendly_name', stringOrNull),
      field('attributeNameFormat', 'name_format', string),
      field('attributeValue', 'value', string),
    ],
  },
  {
    name: 'AuthorizedUserResponse',
    schema: AuthorizedUserResponse,
    valid: {
      type: 'AuthorizedUserResponse',
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.org',
    },
    fields: [
      field('first_name', 'first_name', string),
      field('last_name', 'last_name', string),
      field('email', 'email', email),
      optional('image_url', 'image_url', imageUrl, null),
      optional('affiliation', 'affiliation', stringOrNull, null),
      optional('user_group_uuids', 'user_group_uuids', uuids, []),
    ],
  },
  {
    name: 'ForbiddenResponse',
    schema: ForbiddenResponse,
    valid: { type: 'ForbiddenResponse' },
    fields: [optional('message', 'message', string, forbidden().message)],
  },
  {
    name: 'ErrorResponse',
    schema: ErrorResponse,
    valid: { type: 'ErrorResponse' },
    fields: [optional('message', 'message', string, error().message)],
  },
];

const FIELDS = MODELS.flatMap(({ name, schema, valid, fields }) =>
  fields.map((entry) => ({ ...entry, model: name, schema, valid })),
);

function without(object: Record<string, unknown>, key: string) {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

function parse(schema: v.GenericSchema, input: unknown): Record<string, unknown> {
  return v.parse(schema, input) as Record<string, unknown>;
}

function problems(schema: v.GenericSchema, input: unknown): string[] {
  const result = v.safeParse(schema, input);
  return result.success ? [] : problemsOf(result.issues);
}

describe.each(MODELS)('$name', ({ schema, valid, fields }) => {
  test('has the attributes of the contract and no others', () => {
    const withAll = {
      ...valid,
      ...Object.fromEntries(fields.flatMap(({ wire, kind }) => sampleFor(wire, kind))),
    };
    const attributes = Object.keys(parse(schema, { ...withAll, unknownField: 1 })).filter(
      (name) => name !== 'type',
    );
    expect(attributes.sort()).toEqual(fields.map(({ attribute }) => attribute).sort());

    function sampleFor(wire: string, { accepts }: Kind) {
      return accepts.length > 0 && !(wire in valid) ? [[wire, accepts[0]]] : [];
    }
  });

  test.each([null, undefined, 'text', 1, true, [], [valid], new Date(0)])('is no %p', (input) => {
    expect(problems(schema, input)).not.toEqual([]);
  });
});

/** One value a row: `test.each` would spread a value that is an array. */
const rows = (values: unknown[]) => values.map((value) => ({ value }));

describe.each(FIELDS)('$model.$wire', ({ schema, valid, wire, attribute, kind, ...rest }) => {
  test('missing', () => {
    const input = without(valid, wire);
    if ('defaultValue' in rest) expect(parse(schema, input)[attribute]).toEqual(rest.defaultValue);
    else expect(problems(schema, input)).toEqual([`${wire}: ${kind.expected} (missing)`]);
  });

  test.each(rows(JUNK.filter((junk) => !isAccepted(junk))))('refused: $value', ({ value }) => {
    const [first, ...others] = problems(schema, { ...valid, [wire]: value });
    expect(others).toEqual([]);
    expect(first?.startsWith(wire)).toBe(true);
    if (!Array.isArray(value) && !isEmptyModel(value)) expect(first).toBe(`${wire}: ${kind.expected}`);
  });

  test.each(rows([...(kind.refuses ?? []), Symbol.iterator]))('refused: $value', ({ value }) => {
    expect(problems(schema, { ...valid, [wire]: value })).toEqual([`${wire}: ${kind.expected}`]);
  });

  test.each(rows([valid[wire], ...kind.accepts]))('accepted: $value', ({ value }) => {
    const input = value === undefined ? valid : { ...valid, [wire]: value };
    const parsed = parse(schema, input)[attribute];
    if (kind === dateTime) expect(parsed).toEqual(new Date(value as string));
    else if (kind.accepts.includes(value)) expect(parsed).toEqual(value);
  });

  function isAccepted(junk: unknown): boolean {
    // Of text that is not an image URL, nothing leaves, and nothing is refused.
    if (kind === imageUrl && typeof junk === 'string') return true;
    if (Array.isArray(junk) && junk.length === 0)
      return kind === strings || kind === models || kind === uuids;
    if (isEmptyModel(junk)) return kind === freeForm || kind === model;
    if (kind === email && junk === 'text') return false;
    return kind.accepts.includes(junk);
  }

  function isEmptyModel(junk: unknown): boolean {
    return typeof junk === 'object' && junk !== null && Object.getPrototypeOf(junk) === Object.prototype;
  }
});

describe('a login response', () => {
  const authorized = MODELS.find(({ name }) => name === 'AuthorizedUserResponse')?.valid;

  test.each([[authorized], [{ type: 'ForbiddenResponse' }], [{ type: 'ErrorResponse' }]])(
    'is %p',
    (response) => {
      expect(problems(UserLoginResponse, response)).toEqual([]);
    },
  );

  test.each([
    { ...authorized, type: 'authorizeduserresponse' },
    { ...authorized, type: undefined },
    without(authorized ?? {}, 'type'),
    Object.assign([], authorized),
    Object.assign(new Date(0), authorized),
    { ...authorized, user_group_uuids: ['no-uuid'] },
  ])('is not %p', (response) => {
    expect(problems(UserLoginResponse, response)).not.toEqual([]);
  });
});

describe('other claims', () => {
  const claimsOf = (json: string) => {
    const token = { ...openIdEvent().idToken, otherClaims: JSON.parse(json) };
    return (parse(IdToken, token) as { other_claims: Record<string, unknown> }).other_claims;
  };

  test('keep every JSON value as it came', () => {
    const claims = {
      a: [1, 'x', null, { b: [] }],
      constructor: 'Ada',
      toString: 1,
      'https://x/y': false,
      '': 0,
    };
    expect(claimsOf(JSON.stringify(claims))).toEqual(claims);
  });

  test('a key named __proto__ is no claim and changes no prototype', () => {
    const claims = claimsOf(
      '{"__proto__": {"email": "eve@example.org"}, "address": {"__proto__": {"x": 1}}}',
    );
    expect(Object.keys(claims)).toEqual(['address']);
    expect(claims.email).toBeUndefined();
    expect((claims.address as Record<string, unknown>).x).toBeUndefined();
  });

  test('are the handler’s own: changing them changes no other login', () => {
    const token = openIdEvent().idToken;
    const first = v.parse(IdToken, token);
    first.other_claims.email = 'changed@example.org';
    expect(v.parse(IdToken, token).other_claims.email).toBe('ada@example.org');
    expect(v.parse(IdToken, without(token, 'otherClaims')).other_claims).not.toBe(
      v.parse(IdToken, without(token, 'otherClaims')).other_claims,
    );
  });

  test('are many, but not without end', () => {
    const many = (count: number) => JSON.stringify({ groups: Array(count).fill('g') });
    expect(claimsOf(many(99_998))).toBeDefined();
    expect(() => claimsOf(many(99_999))).toThrow('expected at most 100000 values');
  });

  test('may be nested, but not without end', () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    expect(claimsOf(nested(100))).toBeDefined();
    expect(() => claimsOf(nested(101))).toThrow('expected at most 100 levels of nesting');
    expect(() => claimsOf(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toThrow(
      'expected at most 100',
    );
  });
});

test('a list has many items, but not without end', () => {
  const event = openIdEvent();
  event.idToken.aud = Array(20_000).fill('client-1');
  expect(problems(OpenIdUserLoggedInEvent, event)).toEqual([]);
  event.idToken.aud.push('client-1');
  expect(problems(OpenIdUserLoggedInEvent, event)).toEqual(['idToken.aud: expected at most 20000 items']);
});

describe('problems', () => {
  test('name the path, and never a value', () => {
    const event = { ...openIdEvent(), idToken: { ...openIdEvent().idToken, exp: 'secret', aud: ['a', 7] } };
    expect(problems(OpenIdUserLoggedInEvent, event)).toEqual([
      'idToken.aud[1]: expected a string',
      'idToken.exp: expected an integer',
    ]);
  });

  test('are at most 20, however much is wrong', () => {
    const event = samlEvent();
    event.assertion.assertionAttributeStatement = Array(20_000).fill({ attributeName: 1 });
    expect(problems(SamlUserLoggedInEvent, event)).toHaveLength(20);
  });
});
