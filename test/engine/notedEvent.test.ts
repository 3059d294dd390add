/** What a handler reads of its event, in the order of its code. */
import { expect, test } from '@jest/globals';
import { NotedEvent } from '../../tools/local/process/notedEvent.ts';

interface Claims {
  [name: string]: unknown;
  groups: string[];
  address: { city: string; at: Date };
}
type Reader = (claims: Claims) => unknown;

/** Each read as `path` or `what path`. */
function readsBy(read: Reader): string[] {
  const claims = { email: 'a@b.c', groups: ['staff', 'all'], address: { city: 'Brno', at: new Date(0) } };
  const notes = new NotedEvent({ claims });
  read((notes.event as { claims: Claims }).claims);
  return notes
    .reads()
    .map(({ path, what }) => (what === 'value' ? '' : `${what} `) + path.slice(1).join('.'));
}

test.each<[string, Reader, string[]]>([
  ['one claim', ({ email }) => email, ['email']],
  [
    'one after the other',
    (claims) => [claims.groups[1], claims.address.city, claims.email],
    ['groups.1', 'address.city', 'email'],
  ],
  ['one claim twice', (claims) => [claims.email, claims.email], ['email']],
  ['a claim that is not there', ({ name }) => name, ['absent name']],
  ['a time', ({ address }) => address.at.getTime(), ['address.at']],
  ['whether a claim is there', (claims) => 'email' in claims, ['email']],
  ['whether a claim is its own', (claims) => Object.hasOwn(claims, 'email'), ['email']],
  ['whether an absent claim is its own', (claims) => Object.hasOwn(claims, 'name'), ['absent name']],
  ['groups up to the one that is found', ({ groups }) => groups.includes('staff'), ['groups.0']],
  ['every group', ({ groups }) => groups.map(String), ['whole groups']],
  ['how many groups there are', ({ groups }) => groups.length, ['whole groups']],
  ['a list that is handed on', ({ groups }) => groups, ['whole groups']],
  ['the names of all claims', (claims) => Object.keys(claims), ['names ']],
  [
    'the names of all claims, and one of them',
    (claims) => [Object.keys(claims), claims.email],
    ['names ', 'email'],
  ],
  ['all claims, as JSON', (claims) => JSON.stringify(claims), ['whole ']],
  ['all claims, by a spread', (claims) => ({ ...claims }), ['whole ']],
  ['all claims, by their entries', (claims) => Object.entries(claims), ['whole ']],
  [
    'a part of what a spread copied',
    (claims) => ({ ...claims }).address.city,
    ['names ', 'email', 'whole groups', 'address.city'],
  ],
  ['what every object has', (claims) => `${claims}${claims.constructor}`, ['whole ']],
  ['what JavaScript looks for', async (claims) => claims, ['whole ']],
])('notes %s', (_, read, reads) => {
  expect(readsBy(read)).toEqual(reads);
});

test.each<[string, Reader]>([
  ['sets', (claims) => Object.assign(claims, { name: 'Ada' }).name],
  ['defines', (claims) => Object.defineProperty(claims, 'name', { value: 'Ada' }).name],
  ['deletes', (claims) => [Reflect.deleteProperty(claims, 'email'), claims.email]],
])('what a handler %s itself is not of the event', (_, change) => {
  expect(readsBy((claims) => [claims.address.city, change(claims)])).toEqual(['address.city']);
});

test('an event that nobody reads has no reads, and one without end is read as it is', () => {
  expect(new NotedEvent({ claims: {} }).reads()).toEqual([]);
  const long = Array.from({ length: 20_000 }, (_, index) => ({ index }));
  const notes = new NotedEvent({ long });
  const { long: noted } = notes.event as { long: typeof long };
  expect(noted.map(({ index }) => index)).toEqual(long.map(({ index }) => index));
  expect(notes.reads().length).toBeLessThanOrEqual(5_000);
});
