import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { SAML_NAMES } from '../../lib/saml/attributeNames.ts';
import { handleSamlUserLoggedIn } from '../../lib/saml/kind.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { getEmail, getFirstName, getLastName } from '../../lib/sdk.ts';
import { attribute, samlEvent } from '../support/wire.ts';

type Attributes = ReturnType<typeof attribute>[];

const eventWith = (attributes: Attributes) => v.parse(SamlUserLoggedInEvent, samlEvent(attributes));
const MAIL = attribute('urn:oid:0.9.2342.19200300.100.1.3', 'ada@example.org');
const GIVEN_NAME = attribute('urn:oid:2.5.4.42', 'Ada');
const SURNAME = attribute('urn:oid:2.5.4.4', 'Lovelace');
const ADA = {
  ...{ type: 'AuthorizedUserResponse', first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' },
  ...{ image_url: null, affiliation: null, user_group_uuids: [] },
};

test('authorizes whoever has an e-mail address and both names', () => {
  expect(handleSamlUserLoggedIn(eventWith([SURNAME, GIVEN_NAME, MAIL]))).toEqual(ADA);
});

describe.each([
  ['getEmail', getEmail, SAML_NAMES.email, 'ada@example.org', 'other@example.org'],
  ['getFirstName', getFirstName, SAML_NAMES.first_name, 'Ada', 'Augusta'],
  ['getLastName', getLastName, SAML_NAMES.last_name, 'Lovelace', 'King'],
] as const)('%s', (_, helper, names, value, other) => {
  describe.each(names.map(({ name }, index) => ({ name, preferred: names[index - 1]?.name, index })))(
    '$name',
    ({ name, preferred, index }) => {
      test('is found as Name and as FriendlyName, in any case', () => {
        for (const spelling of [name, name.toUpperCase(), name.toLowerCase()]) {
          expect(helper(eventWith([attribute('Role', 'x'), attribute(spelling, value)]))).toBe(value);
          expect(helper(eventWith([attribute('urn:x', value, spelling)]))).toBe(value);
        }
      });

      test('loses to a preferred name, wherever that stands', () => {
        if (preferred === undefined) return expect(index).toBe(0);
        const pair = [attribute(name, other), attribute(preferred, value)];
        expect(helper(eventWith(pair))).toBe(value);
        expect(helper(eventWith(pair.reverse()))).toBe(value);
      });

      test('as FriendlyName loses to every Name', () => {
        const last = names.at(-1)?.name ?? '';
        expect(helper(eventWith([attribute('urn:x', other, name), attribute(last, value)]))).toBe(value);
      });

      test('repeated, gives the first usable value, without surrounding white space', () => {
        const values = ['', '  ', ` ${value}\n`, other];
        expect(helper(eventWith(values.map((text) => attribute(name, text))))).toBe(value);
      });
    },
  );

  test('an empty name matches nothing', () => {
    expect(helper(eventWith([attribute('', value, ''), attribute('', value)]))).toBeNull();
  });
});

describe('a full name', () => {
  test.each(SAML_NAMES.full_name)('is split under $name', ({ name }) => {
    const event = eventWith([attribute(name, 'Ada King Lovelace')]);
    expect([getFirstName(event), getLastName(event)]).toEqual(['Ada King', 'Lovelace']);
  });

  test.each([
    ['displayName', 'cn'],
    ['cn', 'name'],
  ])('of a single word under %s leaves both to one in two parts under %s', (single, two) => {
    const event = eventWith([attribute(single, 'Ada'), attribute(two, 'Augusta Lovelace')]);
    expect([getFirstName(event), getLastName(event)]).toEqual(['Augusta', 'Lovelace']);
    expect(getFirstName(eventWith([attribute('cn', 'Ada')]))).toBe('Ada');
  });

  test('is never made of an address', () => {
    expect(getLastName(eventWith([attribute('name', 'ada lovelace@example.org')]))).toBeNull();
  });
});

describe('the NameID as e-mail address', () => {
  const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

  function emailOf(nameId: object, attributes: Attributes, assertionIssuer = 'https://idp') {
    const { assertion } = samlEvent(attributes);
    Object.assign(assertion.assertionSubject.subjectNameID, nameId);
    return getEmail(v.parse(SamlUserLoggedInEvent, { assertion: { ...assertion, assertionIssuer } }));
  }

  test.each<[string | null, string, string, string | null]>([
    [EMAIL_FORMAT, 'ada@example.org', 'https://idp', 'ada@example.org'],
    ['emailAddress', 'ada@example.org', 'https://idp', 'ada@example.org'],
    ['EMAILADDRESS', ' ada@example.org ', 'https://idp', 'ada@example.org'],
    ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent', 'ada@example.org', 'https://idp', null],
    [null, 'ada@example.org', 'https://idp', null],
    [EMAIL_FORMAT, 'ada', 'https://idp', null],
    [EMAIL_FORMAT, 'ada_example.org#EXT#@contoso.example', 'https://idp', null],
    [EMAIL_FORMAT, 'ada_example.org#ext#@contoso.example', 'https://idp', null],
    [EMAIL_FORMAT, 'ada@example.org', 'https://sts.windows.net/2b1a8f7e/', null],
    [EMAIL_FORMAT, 'ada@example.org', 'https://STS.chinacloudapi.cn/2b1a8f7e/', null],
    [EMAIL_FORMAT, 'ada@example.org', 'https://login.microsoftonline.us/2b1a8f7e/', null],
    [EMAIL_FORMAT, 'ada@example.org', 'https://example.org/sts.windows.net/', 'ada@example.org'],
    [EMAIL_FORMAT, 'ada@example.org', 'urn:example:idp', 'ada@example.org'],
  ])('%s, %s from %s: %p', (format, value, issuer, email) => {
    expect(emailOf({ nameIDFormat: format, nameIDValue: value }, [], issuer)).toBe(email);
  });

  test('comes after every attribute', () => {
    const nameId = { nameIDFormat: EMAIL_FORMAT, nameIDValue: 'n@example.org' };
    expect(emailOf(nameId, [attribute('urn:x', 'ada@example.org', 'mail')])).toBe('ada@example.org');
  });
});

test.each(['a@b.examplec@d.example', 'ada', ''])('an address that is ambiguous or none: %p', (value) => {
  expect(getEmail(eventWith([attribute('mail', value)]))).toBeNull();
});

describe('the answer', () => {
  const unknownAttribute = fc
    .tuple(fc.string(), fc.string(), fc.string())
    .map(([name, value, friendlyName]) => attribute(`urn:unknown:${name}`, value, `unknown-${friendlyName}`));

  test('does not depend on the order of attributes with different names', () => {
    const others = [attribute('cn', 'A B'), attribute('email', 'x@y')];
    const attributes = [...samlEvent().assertion.assertionAttributeStatement, ...others];
    fc.assert(
      fc.property(fc.shuffledSubarray(attributes, { minLength: attributes.length }), (shuffled) => {
        expect(handleSamlUserLoggedIn(eventWith(shuffled))).toEqual(ADA);
      }),
    );
  });

  test('is not changed by attributes under unknown names', () => {
    fc.assert(
      fc.property(fc.array(unknownAttribute), fc.array(unknownAttribute), (before, after) => {
        const event = eventWith([...before, MAIL, SURNAME, GIVEN_NAME, ...after]);
        expect(handleSamlUserLoggedIn(event)).toEqual(ADA);
      }),
    );
  });
});
