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
  ['groups up to the one that is found', ({ groups }) => groups.includes('staff'), ['groups.0']],
  ['every group', ({ groups }) => groups.map(String), ['groups.0', 'groups.1']],
  ['how many groups there are', ({ groups }) => groups.length, ['whole groups']],
  ['a list that is handed on', ({ groups }) => groups, ['whole groups']],
  ['the names of all claims', (claims) => Object.keys(claims), ['whole ']],
  ['all claims, by a spread', (claims) => ({ ...claims }), ['email', 'whole groups', 'whole address']],
  ['what every object has', (claims) => `${claims}${claims.constructor}`, ['whole ']],
  ['what JavaScript looks for', async (claims) => claims, ['whole ']],
])('notes %s', (_, read, reads) => {
  expect(readsBy(read)).toEqual(reads);
});

test('what a handler sets itself is not of the event', () => {
  const set: Reader = (claims) => [claims.address.city, Object.assign(claims, { name: 'Ada' }).name];
  expect(readsBy(set)).toEqual(['address.city']);
});

test('an event that nobody reads has no reads, and one without end is read as it is', () => {
  expect(new NotedEvent({ claims: {} }).reads()).toEqual([]);
  const long = Array.from({ length: 20_000 }, (_, index) => ({ index }));
  const notes = new NotedEvent({ long });
  const { long: noted } = notes.event as { long: typeof long };
  expect(noted.map(({ index }) => index)).toEqual(long.map(({ index }) => index));
  expect(notes.reads().length).toBeLessThanOrEqual(5_000);
});
