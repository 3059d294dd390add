import { describe, expect, test } from '@jest/globals';
import { splitEvents } from '../../../tools/studio/page/connection/serverEvents.ts';

describe('server-sent events', () => {
  test.each([
    ['a name and data', 'event: logins\ndata: {"a":1}\n\n', [{ name: 'logins', data: '{"a":1}' }]],
    ['data alone', 'data: x\n\n', [{ name: 'message', data: 'x' }]],
    ['data of several lines', 'data: a\ndata: b\n\n', [{ name: 'message', data: 'a\nb' }]],
    ['breaks of two characters', 'event: e\r\ndata: x\r\n\r\n', [{ name: 'e', data: 'x' }]],
    ['data without a space', 'data:x\n\n', [{ name: 'message', data: 'x' }]],
    ['data with colons', 'data: a: b\n\n', [{ name: 'message', data: 'a: b' }]],
    ['a comment', ': ping\n\n', []],
    ['an event without data', 'event: ping\n\n', []],
    [
      'two at once',
      'data: a\n\ndata: b\n\n',
      [
        { name: 'message', data: 'a' },
        { name: 'message', data: 'b' },
      ],
    ],
  ])('%s', (_, text, events) => {
    expect(splitEvents(text)).toEqual({ events, rest: '' });
  });

  test('an event may come in parts of any size', () => {
    const text = 'event: logins\ndata: {"a":1}\n\nevent: logins\ndata: 2\n\n';
    for (let end = 1; end < text.length; end += 1) {
      const first = splitEvents(text.slice(0, end));
      const second = splitEvents(first.rest + text.slice(end));
      expect([...first.events, ...second.events].map(({ data }) => data)).toEqual(['{"a":1}', '2']);
    }
  });
});
