import { expect, test } from '@jest/globals';
import { Rest } from '../../lib/shadow/pause.ts';

const MINUTE_MS = 60_000;

function restAt(startMs: number) {
  let now = startMs;
  const rest = new Rest(() => now);
  const pass = (ms: number) => {
    now += ms;
  };
  return { rest, pass };
}

test('five time-outs in a row are followed by a minute of rest', () => {
  const { rest, pass } = restAt(1_000);
  for (let timeouts = 1; timeouts <= 4; timeouts++) {
    rest.timedOut();
    expect(rest.isResting()).toBe(false);
  }
  rest.timedOut();
  expect(rest.isResting()).toBe(true);
  pass(MINUTE_MS - 1);
  expect(rest.isResting()).toBe(true);
  pass(1);
  expect(rest.isResting()).toBe(false);
  for (let timeouts = 1; timeouts <= 4; timeouts++) rest.timedOut();
  expect(rest.isResting()).toBe(false);
});

test('an answer in between begins the count again', () => {
  const { rest } = restAt(0);
  for (let round = 0; round < 3; round++) {
    for (let timeouts = 1; timeouts <= 4; timeouts++) rest.timedOut();
    rest.answered();
  }
  expect(rest.isResting()).toBe(false);
});
