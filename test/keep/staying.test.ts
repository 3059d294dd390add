/** What of a text stays, and why; everything else is replaced. */
import { describe, expect, test } from '@jest/globals';
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import { type Group, parseMapping } from '../../lib/profile/mappingSchema.ts';
import { DEFAULTS, NAME_ID } from '../../lib/profile/reader.ts';
import { SAML_NAMES } from '../../lib/saml/attributeNames.ts';
import type { Mapping } from '../../lib/sdk.ts';
import type { Place, Role } from '../../tools/keep/leaves.ts';
import { mappingTexts } from '../../tools/keep/mappingTexts.ts';
import { cutOut, type Known, reasonToStay, stayingRanges } from '../../tools/keep/staying.ts';

const UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const ISSUER = `https://login.example/${UUID}/v2.0`;
const place = (role: Role, ...names: string[]): Place => ({ role, path: [], names });
const known = (mapping: Mapping | null = null, issuer = ISSUER): Known => ({
  issuer,
  mapping: mappingTexts(mapping && parseMapping(mapping), OPENID_NAMES),
});

describe('all of a text stays', () => {
  const mapping: Mapping = { email: ['Contact.Mail'], groups: { from: ['teams'] } };

  test.each<[Role, string, string | null]>([
    ['value', ' ', 'an empty text'],
    ['value', ISSUER, 'the issuer'],
    ['issuer', ISSUER, 'the issuer'],
    ['issuer', 'https://other.example', null],
    ['nameId', ISSUER, null],
    ['nameId', '', 'an empty text'],
    ['tokenType', 'Bearer', 'the type of the token'],
    ['tokenType', 'DPoP', 'the type of the token'],
    ['tokenType', 'xBearer', null],
    ['tokenType', 'BearerAda', null],
    ['format', 'persistent', 'a format'],
    ['format', 'ada', null],
    ['method', 'Bearer', 'a method'],
    ['method', 'ada', null],
    ['attributeName', 'urn:oid:2.5.4.42', 'the name of an attribute, out of a standard or the mapping'],
    ['attributeName', 'TEAMS', 'the name of an attribute, out of a standard or the mapping'],
    ['attributeName', 'ada', null],
    ['claimName', 'given_name', 'the name of a claim, out of a standard or the mapping'],
    ['claimName', 'Teams', 'the name of a claim, out of a standard or the mapping'],
    ['claimName', 'contact', 'the name of a claim, out of a standard or the mapping'],
    ['claimName', 'mail', 'the name of a claim, out of a standard or the mapping'],
    ['claimName', 'contact.ada', null],
    ['claimName', 'ada', null],
    ['headerName', 'kid', 'the name of a field of a token'],
    ['headerName', 'ada', null],
    ['header', 'RS256', 'the type or algorithm of a token'],
    ['header', 'ada', null],
    ['contentType', 'application/json', 'the type of a response'],
    ['contentType', 'text/html; charset=utf-8', 'the type of a response'],
    ['contentType', 'text/html;charset=utf-8', 'the type of a response'],
    ['contentType', 'application/vnd.x+json', 'the type of a response'],
    ['contentType', 'text/html; name=ada', null],
    ['contentType', 'x text/html', null],
    ['contentType', 'text/html; charset=utf-8; ada', null],
    ['value', 'true', 'a boolean'],
    ['value', 'urn:oasis:names:tc:SAML:2.0:cm:bearer', 'a method'],
    ['value', 'pwd', null],
    ['value', 'ID', null],
    ['value', 'RS256', null],
    ['token', 'true', null],
    ['signature', 'pwd', null],
  ])('as %s, %j: %p', (role, text, reason) => {
    expect(reasonToStay(text, place(role), known(mapping))).toBe(reason);
  });

  test.each<[string[], string, string | null]>([
    [['amr'], 'pwd', 'a method'],
    [['amr', 'x'], 'ada', null],
    [['x'], 'pwd', null],
    [['typ'], 'ID', 'the type of the token'],
    [['token_use'], 'id', 'the type of the token'],
    [['typ'], 'xid', null],
    [['typ'], 'idx', null],
    [['x'], 'id', null],
  ])('under %j, %j: %p', (names, text, reason) => {
    expect(reasonToStay(text, place('value', ...names), known())).toBe(reason);
  });
});

describe('parts of a text stay', () => {
  const kept = (text: string, where: Place, mapping: Mapping | null = null) =>
    stayingRanges(text, where, known(mapping)).map(({ start, end, why }) => [text.slice(start, end), why]);
  const GROUP = 'a group that the mapping names';
  const BEGINNING = 'how groups that the mapping names begin';
  const DN = 'a distinguished name that the mapping names';
  const TYPE = 'a type in a distinguished name';
  const DOMAIN = 'a domain that the mapping names';
  const groups = (...any_group: Group[]): Mapping => ({
    groups: { from: ['teams'] },
    rules: [{ any_group }],
  });

  test.each<[string, Mapping, [string, string][]]>([
    ['staff', groups('staff'), [['staff', GROUP]]],
    [
      'Staff;x staff',
      groups('staff'),
      [
        ['Staff', GROUP],
        ['staff', GROUP],
      ],
    ],
    ['ban', groups('ban'), [['ban', GROUP]]],
    [' ban ', groups('ban'), [['ban', GROUP]]],
    ['urban', groups('ban'), []],
    ['staffing', groups('staff', 'staffing'), [['staffing', GROUP]]],
    ['bans', groups('bans'), [['bans', GROUP]]],
    ['xbans', groups('bans'), [['bans', GROUP]]],
    ['x/ab', groups({ prefix: '/' }), []],
    ['x/lab', groups({ prefix: '/lab' }), [['/lab', BEGINNING]]],
    ['staffadministrators', groups('staff', 'fadministrators'), [['fadministrators', GROUP]]],
    [
      'staffteam',
      groups('staff', 'team'),
      [
        ['staff', GROUP],
        ['team', GROUP],
      ],
    ],
    ['/lab/ada', groups({ prefix: '/lab/' }), [['/lab/', BEGINNING]]],
    ['x/lab/ada', groups({ prefix: '/lab/' }), [['/lab/', BEGINNING]]],
    ['abc', groups({ prefix: 'ab' }), [['ab', BEGINNING]]],
    ['cab', groups({ prefix: 'ab' }), []],
    [
      'CN=Ada,OU=Staff,DC=x',
      groups({ dn_suffix: 'ou=staff,dc=x' }),
      [
        ['CN', TYPE],
        ['OU=Staff,DC=x', DN],
      ],
    ],
    ['CN=Staff,DC=x', groups({ dn: 'cn=staff,dc=x' }), [['CN=Staff,DC=x', DN]]],
    [
      'CN=a\\,OU=b',
      groups({ dn: 'OU=b' }),
      [
        ['CN', TYPE],
        ['OU', TYPE],
      ],
    ],
    [
      'CN=a,OU=b',
      groups({ dn: 'OU=c' }),
      [
        ['CN', TYPE],
        ['OU', TYPE],
      ],
    ],
    ['no name', groups({ dn: 'OU=c' }), []],
    ['no name,OU=c', groups({ dn: 'OU=c' }), []],
    ['administratorstaff', groups('administrators', 'staff'), [['administrators', GROUP]]],
    [
      'teamstaff',
      groups('staff', 'team'),
      [
        ['team', GROUP],
        ['staff', GROUP],
      ],
    ],
    ['staff', { rules: [{ no_group: ['staff'] }] }, []],
  ])('of a group: %j of %j', (text, mapping, expected) => {
    expect(kept(text, place('value', 'Teams'), mapping)).toEqual(expected);
    expect(kept(text, place('value', 'hobby'), mapping).filter(([, why]) => why !== TYPE)).toEqual([]);
  });

  test('of groups in every place where groups stand', () => {
    const table = [{ group: 'staff', uuid: UUID }];
    const expected = [['staff', GROUP]];
    expect(kept('staff', place('value', 'groups'), { groups: { table } })).toEqual(expected);
    expect(kept('staff', place('value', 'groups'), { rules: [{ no_group: ['staff'] }] })).toEqual(expected);
    const byIssuer: Mapping = { issuers: { [ISSUER]: { groups: { from: ['own'], table } } } };
    expect(kept('staff', place('value', 'own'), byIssuer)).toEqual(expected);
    expect(kept('staff', place('nameId'), { groups: { from: [NAME_ID], table } })).toEqual(expected);
    expect(kept('staff', place('nameId'), { groups: { table } })).toEqual([]);
    const named: Mapping = { groups: { from: ['teams', NAME_ID], table } };
    expect(kept('staff', place('nameId'), named)).toEqual(expected);
    expect(kept('staff', place('value', 'hobby'), named)).toEqual([]);
    expect(kept('staff', place('value', 'groups'), named)).toEqual([]);
  });

  test.each<[string, Mapping, [string, string][]]>([
    ['ada@uni.example', { rules: [{ email_domains: ['uni.example'] }] }, [['uni.example', DOMAIN]]],
    ['ada@cs.UNI.example', { rules: [{ email_domains: ['*.uni.example'] }] }, [['UNI.example', DOMAIN]]],
    ['uni.example', { rules: [{ scopes: ['uni.example'] }] }, [['uni.example', DOMAIN]]],
    ['https://uni.example/ada', { rules: [{ scopes: ['uni.example'] }] }, [['uni.example', DOMAIN]]],
    [
      'ada@a.uni.example',
      { rules: [{ email_domains: ['*.uni.example'] }, { scopes: ['a.uni.example'] }] },
      [['a.uni.example', DOMAIN]],
    ],
    ['ada@myuni.example', { rules: [{ scopes: ['uni.example'] }] }, []],
    ['ada@uni.example', { rules: [{ any_group: ['uni.example'] }] }, []],
    ['ada_x.org#EXT#@y.example', {}, [['#EXT#', "Entra's sign of a guest"]]],
    [`a/${UUID.toUpperCase()}/b`, {}, [[UUID.toUpperCase(), 'a part of the issuer']]],
  ])('of %j by %j', (text, mapping, expected) => {
    expect(kept(text, place('value', 'email'), mapping)).toEqual(expected);
    expect(kept(text, place('nameId'), mapping)).toEqual(expected);
    expect(kept(text, place('issuer'), mapping)).toEqual([]);
  });

  test.each<[string, Mapping, [string, string][]]>([
    ['Member@uni.example', {}, [['Member', 'an affiliation']]],
    ['fellow@x.example', {}, []],
    [
      'fellow@x.example',
      { rules: [{ scopes: ['x.org'], affiliations: ['Fellow'] }] },
      [['fellow', 'an affiliation']],
    ],
    ['member', {}, []],
  ])('of a scoped affiliation: %j by %j', (text, more, expected) => {
    const mapping = { rules: [{ scopes: ['y.org'], from: ['scoped'] }, ...(more.rules ?? [])] };
    expect(kept(text, place('value', 'scoped'), mapping)).toEqual(expected);
    expect(kept(text, place('value', 'other'), mapping)).toEqual([]);
  });
});

test('the parts of a text, with and without a reason', () => {
  const ranges = [
    { start: 0, end: 1, why: 'first' },
    { start: 2, end: 4, why: 'second' },
  ];
  expect(cutOut('abcd', ranges)).toEqual([
    { text: 'a', why: 'first' },
    { text: 'b', why: '' },
    { text: 'cd', why: 'second' },
  ]);
  expect(cutOut('abc', [])).toEqual([{ text: 'abc', why: '' }]);
  expect(cutOut('', [])).toEqual([]);
});

test('the names of a mapping are those of all its fields, with the other names of the same attribute', () => {
  const mapping: Mapping = {
    ...{ first_name: ['a'], last_name: ['B'], email: ['c'], image_url: ['d'], affiliation: ['e'] },
    ...{ external_id: ['f'], external_label: ['givenName'] },
    issuers: { x: { first_name: ['own'] } },
  };
  const { names, usesNameIdForGroups } = mappingTexts(parseMapping(mapping), SAML_NAMES);
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'givenname', 'urn:oid:2.5.4.42', 'own', 'memberof']) {
    expect([name, names.has(name)]).toEqual([name, true]);
  }
  expect(names.has('mail')).toBe(false);
  expect(usesNameIdForGroups).toBe(false);
});

test('a mapping’s texts are those that it has, and no others', () => {
  const nothing = {
    ...{ groups: [], domains: [], affiliations: [], names: new Set(), groupNames: new Set() },
    ...{ affiliationNames: new Set(), usesNameIdForGroups: false },
  };
  expect(mappingTexts(null, OPENID_NAMES)).toEqual(nothing);
  const mapping: Mapping = {
    email: ['mail'],
    groups: { from: ['teams'] },
    rules: [
      { email_domains: ['*.Uni.example'] },
      { scopes: ['x.example'], from: ['scoped'], affiliations: ['Fellow'] },
      { scopes: ['y.example'], from: ['scoped'] },
      { any_group: ['a'] },
      { no_group: ['b'] },
    ],
  };
  expect(mappingTexts(parseMapping(mapping), OPENID_NAMES)).toEqual({
    groups: ['a', 'b'],
    domains: ['uni.example', 'x.example', 'y.example'],
    affiliations: ['fellow'],
    names: new Set(['mail', 'teams', 'scoped']),
    groupNames: new Set(['teams']),
    affiliationNames: new Set(['scoped']),
    usesNameIdForGroups: false,
  });
  expect(mappingTexts(parseMapping({ email: ['mail'] }), OPENID_NAMES).groups).toEqual([]);
  const byDefault = mappingTexts(parseMapping({ email: [DEFAULTS], groups: {} }), OPENID_NAMES);
  expect([...byDefault.groupNames]).toEqual(OPENID_NAMES.groups.map(({ key }) => key));
  const byNameId = mappingTexts(parseMapping({ groups: { from: [NAME_ID] } }), OPENID_NAMES);
  expect(byNameId).toEqual({ ...nothing, usesNameIdForGroups: true });
});
