/** A handler may wrap a mapping as it likes: reason, explanation and reference are those of the answer that leaves. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from '../../tools/bundle/build.ts';
import { type FunctionProcess, startFunction } from '../../tools/local/process/functionProcess.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { answerOf } from '../support/bundle.ts';
import { WAYS } from '../support/handlers/wrapping.ts';
import { openIdEvent } from '../support/wire.ts';
import { withHandler } from '../support/withHandler.ts';

type Way = keyof typeof WAYS;

let root: string;
let fn: FunctionProcess;
beforeAll(async () => {
  root = await mkdtemp(join(PROJECT, '.build-test-'));
  await build({ outdir: root, entries: withHandler(join(PROJECT, 'test/support/handlers/wrapping.ts')) });
  const env = { OPENID_HANDLER_MODULE: 'handlers/wrapping', AWS_LAMBDA_LOG_LEVEL: 'DEBUG' };
  fn = await startFunction({ name: 'openidLoggedIn', root, env });
});
afterAll(async () => {
  await fn.stop();
  await rm(root, { recursive: true });
});

async function leaving(way: Way, groups: string[]) {
  const event = openIdEvent();
  Object.assign(event.idToken.otherClaims, { way, groups });
  const { answer, record, records } = await answerOf(fn, event);
  const explained = records.filter(
    ({ requestId, explanation }) => requestId === record?.requestId && explanation,
  );
  expect(explained.length).toBeLessThanOrEqual(1);
  const explanation = explained[0]?.explanation as { rule?: string; decided?: string } | undefined;
  const hasReference = String(answer.message).endsWith(`(Reference: ${record?.requestId})`);
  return {
    type: answer.type,
    reason: record?.reason,
    rule: explanation?.rule,
    decided: explanation?.decided,
    hasReference,
  };
}

const REFUSED = {
  type: 'ForbiddenResponse',
  reason: 'rule_refused',
  rule: 'rules[1].no_group',
  decided: undefined,
  hasReference: true,
};
const OWN_WORDS = { ...REFUSED, hasReference: false };
const AUTHORIZED = {
  type: 'AuthorizedUserResponse',
  reason: 'authorized',
  rule: undefined,
  decided: undefined,
  hasReference: false,
};

test.each<[Way, object]>([
  ['hands it on', REFUSED],
  ['passes a copy of the event', REFUSED],
  ['passes a clone of the event', REFUSED],
  ['passes a frozen event', REFUSED],
  ['copies the answer', REFUSED],
  ['freezes the answer', REFUSED],
  ['waits for it', REFUSED],
  ['asks another mapping before', REFUSED],
  ['asks another mapping after', REFUSED],
  ['asks the default after', AUTHORIZED],
  ['changes the message', OWN_WORDS],
  ['changes the message of a copy', OWN_WORDS],
  ['hands on an operator’s message', { ...OWN_WORDS, rule: 'rules[0].any_group' }],
  ['authorizes who was refused', { ...AUTHORIZED, rule: 'rules[1].no_group', decided: 'rule_refused' }],
  ['makes an error of it', { ...OWN_WORDS, type: 'ErrorResponse', reason: 'error', decided: 'rule_refused' }],
  ['answers by itself', { ...OWN_WORDS, reason: 'forbidden', rule: undefined }],
  ['answers after a mapping', { ...OWN_WORDS, reason: 'forbidden', rule: undefined }],
])('of a refusal, a handler that %s', async (way, expected) => {
  expect(await leaving(way, ['staff', 'suspended'])).toEqual(expected);
});

test.each<[Way, object]>([
  ['hands it on', AUTHORIZED],
  ['copies the answer', AUTHORIZED],
  ['freezes the answer', AUTHORIZED],
  ['asks another mapping after', AUTHORIZED],
  ['makes an error of it', { ...AUTHORIZED, type: 'ErrorResponse', reason: 'error', decided: 'authorized' }],
])('of an authorization, a handler that %s', async (way, expected) => {
  expect(await leaving(way, ['staff'])).toEqual(expected);
});

test('an authorized answer compares as a whole with what it holds', () => {
  const event = {
    id_token: { iss: 'x', other_claims: { email: 'a@b', name: 'Ada Lovelace', groups: ['staff'] } },
  };
  expect(WAYS['hands it on'](event as never)).toEqual({
    type: 'AuthorizedUserResponse',
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'a@b',
    image_url: null,
    affiliation: null,
    user_group_uuids: [],
  });
});
