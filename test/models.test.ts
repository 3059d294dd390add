/** The contract, field by field: every field of every model missing, null, of a wrong type, and defaulted. */
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { IdToken, OpenIdUserLoggedInEvent } from '../lib/openid/model.ts';
import {
  authorizedUserResponse,
  ErrorResponse,
  error,
  ForbiddenResponse,
  forbidden,
  responseSchema,
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
import { REQUIRABLE_FIELDS } from '../lib/settings.ts';
import { attribute, openIdEvent, samlEvent } from './support/wire.ts';

/** What a field may be, and what is said of all else. */
interface Kind {
  expected: string;
  accepts: unknown[];
  refuses: unknown[];
}

const OBJECTS = [[1], {}, new Date(0)];
const string: Kind = {
  expected: 'expected a string',
  accepts: ['text', ''],
  refuses: [null, 1, true, [], ...OBJECTS],
};
const stringOrNull: Kind = {
  expected: 'expected a string or null',
  accepts: ['text', '', null],
  refuses: [1, true, [], ...OBJECTS],
};
/** Of text that is not an image URL, nothing leaves, and nothing is refused. */
const imageUrl: Kind = { ...stringOrNull, accepts: ['https://example.org/ada.png', null] };
const integer: Kind = {
  expected: 'expected an integer',
  accepts: [1, 0, -1, 2 ** 53],
  refuses: [null, '1', 1.5, Number.POSITIVE_INFINITY, Number.NaN, true, [], ...OBJECTS],
};
const dateTime: Kind = {
  expected: 'expected a date-time',
  accepts: ['2026-11-21T10:00:00Z'],
  refuses: [null, '2026-02-30T00:00:00Z', '21 November 2026', '', 1, true, [], ...OBJECTS],
};
const NO_OBJECTS = [null, 'text', 1, true, [], [1], new Date(0)];
const model: Kind = { expected: 'expected an object', accepts: [], refuses: NO_OBJECTS };
const freeForm: Kind = { ...model, accepts: [{}, { any: ['thing', { deep: null }] }] };
const NO_LISTS = [null, 'text', 1, true, {}, new Date(0)];
const models: Kind = { expected: 'expected an array', accepts: [[]], refuses: NO_LISTS };
const strings: Kind = { ...models, accepts: [[], ['a', 'b']] };
const uuids: Kind = { ...models, accepts: [[], ['5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30']] };
const email: Kind = {
  expected: 'expected an e-mail address',
  accepts: ['a@b', 'ada+x@example.org'],
  refuses: [null, '', 'ada', '@example.org', 'ada@', 'a@b@c', 'a b@c', 'a@b\n', 1, [], ...OBJECTS],
};

/** By its name on the wire: its name for handlers, and what a missing one becomes; a field without that is required. */
type Fields = Record<string, [attribute: string, kind: Kind, defaultValue?: unknown]>;

const { assertion } = samlEvent();
const { assertionSubject: subject, assertionConditions: conditions } = assertion;

const NAMES = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' };
const AUTHORIZED = { type: 'AuthorizedUserResponse', ...NAMES };
const saying = ({ message }: { message: string }): Fields => ({ message: ['message', string, message] });
const modelOf = (name: string, schema: v.GenericSchema, valid: Record<string, unknown>, fields: Fields) =>
  [name, schema, valid, fields] as const;

const MODELS = [
  modelOf('OpenIdUserLoggedInEvent', OpenIdUserLoggedInEvent, openIdEvent(), {
    accessToken: ['access_token', string],
    tokenType: ['token_type', string],
    idToken: ['id_token', model],
    idTokenJwt: ['id_token_jwt', string],
    expiresIn: ['expires_in', integer],
    refreshToken: ['refresh_token', stringOrNull, null],
  }),
  modelOf('IdToken', IdToken, openIdEvent().idToken, {
    iss: ['iss', string],
    sub: ['sub', string],
    aud: ['aud', strings],
    exp: ['exp', integer],
    iat: ['iat', integer],
    nonce: ['nonce', stringOrNull, null],
    otherClaims: ['other_claims', freeForm, {}],
  }),
  modelOf('SamlUserLoggedInEvent', SamlUserLoggedInEvent, samlEvent(), { assertion: ['assertion', model] }),
  modelOf('Assertion', Assertion, assertion, {
    assertionId: ['id', string],
    assertionIssued: ['issued', dateTime],
    assertionIssuer: ['issuer', string],
    assertionSubject: ['subject', model],
    assertionConditions: ['conditions', model],
    assertionAuthnStatement: ['authn_statement', model],
    assertionAttributeStatement: ['attribute_statement', models],
  }),
  modelOf('Subject', Subject, subject, {
    subjectConfirmations: ['confirmations', models],
    subjectNameID: ['name_id', model],
  }),
  modelOf('SubjectConfirmation', SubjectConfirmation, subject.subjectConfirmations[0] ?? {}, {
    subjectConfirmationMethod: ['method', string],
    subjectConfirmationAddress: ['address', string],
    subjectConfirmationNotOnOrAfter: ['notOnOrAfter', dateTime],
    subjectConfirmationRecipient: ['recipient', string],
  }),
  modelOf('NameID', NameID, subject.subjectNameID, {
    nameIDQualifier: ['qualifier', stringOrNull],
    nameIDSPNameQualifier: ['sp_name_qualifier', stringOrNull],
    nameIDSPProvidedID: ['sp_provided_id', stringOrNull],
    nameIDFormat: ['format', stringOrNull],
    nameIDValue: ['value', string],
  }),
  modelOf('Conditions', Conditions, conditions, {
    conditionsNotBefore: ['no_before', dateTime],
    conditionsNotOnOrAfter: ['not_on_or_after', dateTime],
    conditionsAudienceRestrictions: ['audience_restrictions', models],
  }),
  modelOf('AudienceRestriction', AudienceRestriction, conditions.conditionsAudienceRestrictions[0] ?? {}, {
    audienceRestrictionAudience: ['audience', strings],
  }),
  modelOf('AuthnStatement', AuthnStatement, assertion.assertionAuthnStatement, {
    authnStatementInstant: ['instant', dateTime],
    authnStatementSessionIndex: ['session_index', string],
    authnStatementLocality: ['locality', string],
  }),
  modelOf('AssertionAttribute', AssertionAttribute, attribute('Role', 'staff'), {
    attributeName: ['name', string],
    attributeFriendlyName: ['friendly_name', stringOrNull],
    attributeNameFormat: ['name_format', string],
    attributeValue: ['value', string],
  }),
  modelOf('AuthorizedUserResponse', authorizedUserResponse(REQUIRABLE_FIELDS), AUTHORIZED, {
    first_name: ['first_name', string],
    last_name: ['last_name', string],
    email: ['email', email],
    image_url: ['image_url', imageUrl, null],
    affiliation: ['affiliation', stringOrNull, null],
    user_group_uuids: ['user_group_uuids', uuids, []],
  }),
  modelOf('ForbiddenResponse', ForbiddenResponse, { type: 'ForbiddenResponse' }, saying(forbidden())),
  modelOf('ErrorResponse', ErrorResponse, { type: 'ErrorResponse' }, saying(error())),
];

const FIELDS = MODELS.flatMap(([name, schema, valid, fields]) =>
  Object.entries(fields).map(([wire, [attribute, kind, ...defaults]]) => ({
    ...{ name, schema, valid, wire, attribute, kind, defaults },
  })),
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

describe.each(MODELS)('%s', (_, schema, valid, fields) => {
  test('has the attributes of the contract and no others', () => {
    const sampleOf = ([wire, [, { accepts }]]: [string, Fields[string]]) => [wire, valid[wire] ?? accepts[0]];
    const samples = Object.entries(fields).map(sampleOf);
    const parsed = parse(schema, { ...valid, ...Object.fromEntries(samples), unknownField: 1 });
    const attributes = Object.values(fields).map(([attribute]) => attribute);
    expect(Object.keys(without(parsed, 'type')).sort()).toEqual(attributes.sort());
  });

  test.each([null, undefined, 'text', 1, true, [], [valid], new Date(0)])('is no %p', (input) => {
    expect(problems(schema, input)).not.toEqual([]);
  });
});

describe.each(FIELDS)('$name.$wire', ({ schema, valid, wire, attribute, kind, defaults }) => {
  test('missing', () => {
    const input = without(valid, wire);
    if (defaults.length > 0) expect(parse(schema, input)[attribute]).toEqual(defaults[0]);
    else expect(problems(schema, input)).toEqual([`${wire}: ${kind.expected} (missing)`]);
  });

  test('of another kind', () => {
    for (const value of [...kind.refuses, Symbol.iterator]) {
      const found = problems(schema, { ...valid, [wire]: value });
      expect([value, found]).toEqual([value, [`${wire}: ${kind.expected}`]]);
    }
  });

  test('of its kind', () => {
    for (const value of kind.accepts) {
      const parsed = parse(schema, { ...valid, [wire]: value })[attribute];
      expect(parsed).toEqual(kind === dateTime ? new Date(value as string) : value);
    }
  });
});

describe('a login response', () => {
  const UserLoginResponse = responseSchema(REQUIRABLE_FIELDS);

  test.each([Object.assign([], AUTHORIZED), { ...AUTHORIZED, user_group_uuids: ['no-uuid'] }])(
    'is not %p',
    (response) => {
      expect(problems(UserLoginResponse, response)).not.toEqual([]);
    },
  );
});

describe('other claims', () => {
  const claimsOf = (json: string) => {
    const token = { ...openIdEvent().idToken, otherClaims: JSON.parse(json) };
    return (parse(IdToken, token) as { other_claims: Record<string, unknown> }).other_claims;
  };

  test('a key named __proto__ is no claim and changes no prototype', () => {
    const claims = claimsOf('{"__proto__":{"email":"eve@example.org"},"address":{"__proto__":{"x":1}}}');
    expect(Object.keys(claims)).toEqual(['address']);
    expect(claims.email).toBeUndefined();
    expect((claims.address as Record<string, unknown>).x).toBeUndefined();
    expect(JSON.stringify(claims)).toBe('{"address":{"__proto__":{"x":1}}}');
  });

  test('are the handler’s own: changing them changes no other login', () => {
    const token = openIdEvent().idToken;
    const first = v.parse(IdToken, token);
    first.other_claims.email = 'changed@example.org';
    expect(v.parse(IdToken, token).other_claims.email).toBe('ada@example.org');
  });

  test('may be nested, but not without end', () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    expect(claimsOf(nested(100))).toBeDefined();
    expect(() => claimsOf(nested(101))).toThrow('expected at most 100 levels of nesting');
    const lists = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(() => claimsOf(lists)).toThrow('expected at most 100 levels of nesting');
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
