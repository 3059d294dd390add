/** A handler can write to the pipe of its process too. Nothing that it does there ends this process, hangs it or fills its memory. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { DIST } from '../../tools/bundle/build.ts';
import { Pool } from '../../tools/local/pool.ts';
import { MAX_MESSAGE_BYTES } from '../../tools/local/process/frames.mjs';
import { startFunction } from '../../tools/local/process/functionProcess.ts';
import type { FunctionFailed } from '../../tools/local/process/runtime.ts';
import { customHandler } from '../support/customHandler.ts';
import { openIdEvent } from '../support/wire.ts';

const pool = new Pool({ busyMs: 60_000 });
const impatient = new Pool({ busyMs: 1_500 });
afterAll(() => Promise.all([pool.close(), impatient.close()]));

async function functionOf(body: string) {
  const source = `import { closeSync, writeSync } from 'node:fs';
    const frame = (text, length = Buffer.byteLength(text)) => {
      const head = Buffer.alloc(4);
      head.writeUInt32BE(length);
      return Buffer.concat([head, Buffer.from(text)]);
    };
    const write = (bytes, fd = 3) => { for (let at = 0; at < bytes.length; ) {
      try { at += writeSync(fd, bytes, at); } catch (error) { if (error.code !== 'EAGAIN') throw error; }
    } };
    const answer = { type: 'ErrorResponse', message: 'well' };
    let first = true;
    export default async ({ id_token: { sub } }) => { if (sub === 'quiet') return answer; ${body} };`;
  const env = { OPENID_HANDLER_MODULE: await customHandler(source) };
  return { name: 'openidLoggedIn', root: DIST, version: '', env, isLive: false };
}

type Fn = Awaited<ReturnType<typeof functionOf>>;

function ask(fn: Fn, sub = 'hostile', asked = pool) {
  const event = { ...openIdEvent(), idToken: { ...openIdEvent().idToken, sub } };
  return asked.answer(fn, { event, requestId: 'r', moment: null, outside: [] });
}

const FOREVER = 'await new Promise(() => {});';

describe('the process is ended, and says why', () => {
  test.each([
    ['a text', `write(Buffer.from('not json')); ${FOREVER}`, /a message of \d+ bytes, expected at most/],
    ['a message that is no JSON', `write(frame('not json')); ${FOREVER}`, /something other than a message/],
    ['an empty message', `write(frame('')); ${FOREVER}`, /something other than a message/],
    ['JSON that is no message', `write(frame('[]')); ${FOREVER}`, /something other than a message/],
    [
      'requests of another form',
      `write(frame(JSON.stringify({ type: 'response', requestId: 'r', asked: {} }))); ${FOREVER}`,
      /something other than a message/,
    ],
    [
      'an answer to another event',
      `write(frame(JSON.stringify({ type: 'response', requestId: 'x' }))); ${FOREVER}`,
      /out of turn/,
    ],
    ['a second beginning', `write(frame('{"type":"ready"}')); ${FOREVER}`, /out of turn/],
    ['a flood', `for (;;) write(Buffer.alloc(1_000_000, frame('{"type":"ready"}')));`, /out of turn/],
    ['the end of the pipe', `closeSync(3); ${FOREVER}`, /closed file descriptor 3/],
    ['a flood of output', `for (;;) write(Buffer.alloc(10_000, 'x'), 1);`, /wrote more than \d+ characters/],
  ])('where its handler writes %s', async (_, body, message) => {
    const { failure } = await ask(await functionOf(body));
    expect([failure?.kind, failure?.message]).toEqual(['crash', expect.stringMatching(message)]);
  });
});

test('a message that does not end is over with the time of the event', async () => {
  const fn = await functionOf(`write(frame('{"type":', 33_000_000)); ${FOREVER}`);
  const { failure } = await ask(fn, 'hostile', impatient);
  expect(failure?.kind).toBe('time-out');
});

test('a process that it starts, and that outlives it, holds nothing up', async () => {
  const fn = await functionOf(`const { spawn } = await import('node:child_process');
    spawn('sleep', ['20'], { stdio: 'inherit', detached: true }).unref();
    process.exit(3);`);
  const { failure } = await ask(fn);
  expect(failure?.message).toMatch(/ended \(exit code 3\)/);
});

test('an answer that is too long is the failure of that event alone', async () => {
  const root = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  await mkdir(join(root, 'functions'));
  await writeFile(
    join(root, 'functions', 'long.mjs'),
    `export const handler = ({ length }) => 'x'.repeat(length)`,
  );
  const fn = await startFunction({ name: 'long', root });
  try {
    const failed = await fn.invoke({ length: MAX_MESSAGE_BYTES }).catch((error: FunctionFailed) => error);
    expect(failed).toMatchObject({ kind: 'error', message: expect.stringMatching(/at most \d+/) });
    expect(await fn.invoke({ length: 3 })).toBe('xxx');
    await expect(fn.invoke('x'.repeat(MAX_MESSAGE_BYTES))).rejects.toThrow(/the event cannot be sent/);
    expect(await fn.invoke({ length: 2 })).toBe('xx');
  } finally {
    await fn.stop();
    await rm(root, { recursive: true });
  }
});

test.each([
  ['half a message', `setImmediate(() => write(frame('{', 9)));`],
  ['a flood', `setImmediate(() => { for (;;) write(frame('{"type":"ready"}')); });`],
  ['endless output', `setImmediate(() => { for (;;) write(Buffer.alloc(10_000, 'x'), 1); });`],
])('%s between two events harms neither', async (_, body) => {
  const fn = await functionOf(`${body} return answer;`);
  expect((await ask(fn)).failure).toBeNull();
  await setTimeout(300);
  const { failure } = await ask(fn, 'quiet');
  expect([null, 'crash']).toContain(failure?.kind ?? null);
  expect((await ask(fn, 'quiet')).failure).toBeNull();
});
