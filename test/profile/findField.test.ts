/** How a field is found: what the trace says of it, and what is no value. */
import { describe, expect, test } from '@jest/globals';
import { type Kind, kindOf } from '../../lib/profile/kind.ts';
import { mappingHandler } from '../../lib/profile/mapping.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS, NAME_ID } from '../../lib/profile/schema/profileFields.ts';
import { attribute } from '../support/wire.ts';
import { openId, saml } from './decided.ts';

const long = (length: number) => 'x'.repeat(length);

describe('the trace of an assertion', () => {
  test('names the NameID among what was tried', () => {
    const triedFor = (mapping: Mapping, field: string) => saml(mapping).trace.fields[field];
    expect(triedFor({}, 'email')?.tried).toContain('NameID of format emailAddress');
    expect(triedFor({}, 'first_name')?.tried).not.toContain('NameID of format emailAddress');
    expect(triedFor({ first_name: [NAME_ID] }, 'first_name')).toEqual({ tried: ['NameID'], found: 'NameID' });
  });

  test.each<[Mapping, string, object | undefined]>([
    [
      { affiliation: ['org', 'o'] },
      'affiliation',
      { tried: ['org', 'o', 'urn:oid:2.5.4.10', 'urn:mace:dir:attribute-def:o'], found: null },
    ],
    [
      { affiliation: ['org', NAME_ID, 'unit'] },
      'affiliation',
      { tried: ['org', 'NameID', 'unit'], found: 'NameID' },
    ],
    // There are no default names of these.
    [{ image_url: [DEFAULTS] }, 'image_url', undefined],
    [{ external_label: [DEFAULTS] }, 'external_label', undefined],
    [
      { image_url: { from: [DEFAULTS], fallback: 'https://x.example/' } },
      'image_url',
      { tried: [], found: 'fallback' },
    ],
  ])('of %j names what was tried for %s: %j', (mapping, field, expected) => {
    expect(saml(mapping).trace.fields[field]).toEqual(expected);
  });

  test('says nothing of fields that nobody wants', () => {
    expect(Object.keys(saml({}).trace.fields)).toEqual(['email', 'first_name', 'last_name']);
  });
});

test.each<[Mapping, Record<string, unknown>, object]>([
  [{ first_name: ['n'] }, { n: long(8_192) }, { first_name: long(8_192) }],
  [{ first_name: ['n', DEFAULTS] }, { n: long(8_193) }, { first_name: 'Ada' }],
  [{ first_name: ['n'] }, { n: '\u0000' }, { type: 'ErrorResponse' }],
])('%# names have at most 8,192 characters', (mapping, claims, expected) => {
  expect(openId(mapping, claims).response).toMatchObject(expected);
});

test('a handler tells its mapping, and its kind of login', () => {
  const mapping: Mapping = { rules: [{ any_group: ['staff'] }] };
  const names = { kind: 'SAML', expand: () => [], same: () => [], email: [], groups: [] } as never;
  const handler = mappingHandler({ names } as Partial<Kind<unknown>> as Kind<unknown>, mapping);
  expect((handler as unknown as Record<symbol, unknown>)[Symbol.for('login-hooks.mapping')]).toBe(mapping);
  expect(kindOf(handler)).toBe('SAML');
});

test('neighbouring names are looked up together: any by Name goes before one by FriendlyName', () => {
  const attributes = [attribute('x', 'Friendly', 'a'), attribute('b', 'ByName')];
  const affiliationOf = (from: string[]) => saml({ affiliation: from }, attributes).response;
  expect(affiliationOf(['a', 'b'])).toMatchObject({ affiliation: 'ByName' });
});

test('characters without ink stay in an address, which is refused', () => {
  expect(openId({}, { email: 'ada@example.org\u200b' }).decision.reason).toBe('profile_incomplete');
});
