/** Whether the handlers in force guard anything, by what their events were answered; and what is said of each. */
import { describe, expect, test } from '@jest/globals';
import { guardFindings, inForceLines, secretFindings, uncheckedLines } from '../../tools/cli/guards.ts';
import type { Checked } from '../../tools/cli/report.ts';
import { Stage } from '../../tools/shared/stage.ts';

const CAMPUS = 'handlers/campus';
const CLIENTS = { OPENID_HANDLER_MODULE: CAMPUS, SECRET_IDS: 'own/client' };

const stageWith = (settings: Record<string, string>) => new Stage('dev', { ...process.env, ...settings });

/** An event that was answered so, by the handler that it expects. @param asked its secrets */
function answered(reason: string, handler = CAMPUS, asked: readonly string[] = []): Checked {
  const failed = reason === 'handler_threw' ? reason : null;
  return {
    sample: { functionName: 'openidLoggedIn', expected: { handler, answer: { type: 'ForbiddenResponse' } } },
    handler: { given: handler, module: handler },
    answered: { reason, failed, requests: { secrets: asked } },
    verdict: { kind: failed === null ? 'expected' : 'failed' },
  } as unknown as Checked;
}

const [IN, REFUSED, INVALID] = [answered('authorized'), answered('rule_refused'), answered('event_invalid')];
const WRONGLY_REFUSED = structuredClone(REFUSED);
Object.assign(WRONGLY_REFUSED.sample.expected ?? {}, { answer: { type: 'AuthorizedUserResponse' } });
const OF_OTHER = answered('rule_refused', 'handlers/other');
const OF_SAML = structuredClone(REFUSED);
Object.assign(OF_SAML.sample, { functionName: 'samlLoggedIn' });
const BY_OTHER: Checked = { ...REFUSED, verdict: { kind: 'other', handler: CAMPUS } };

const EVERYBODY = 'answers: everybody with a complete profile gets in';
const ON_LAMBDA = 'answers, on Lambda only, and was not compared: --handler <file> compares its events';
const refuses = (count: string) => `answers, and refuses ${count} events`;
test.each<[string, string, Checked[], string[], string]>([
  ['refuses somebody', CAMPUS, [IN, REFUSED], [], refuses('1 of 2')],
  ['lets in everybody', CAMPUS, [IN, IN, OF_SAML], ['refuses_nobody'], refuses('0 of 2')],
  ['refuses what is not valid', CAMPUS, [INVALID], ['refuses_nobody'], refuses('0 of 1')],
  ['refuses who should get in', CAMPUS, [WRONGLY_REFUSED], ['refuses_nobody'], refuses('0 of 1')],
  ['fails at all', CAMPUS, [answered('handler_threw')], [], refuses('0 of 1')],
  ['is not asked', CAMPUS, [OF_OTHER, BY_OTHER], ['handler_not_compared'], refuses('0 of 0')],
  ['is on Lambda', '/opt/own', [], [], ON_LAMBDA],
  ['is the default one', 'default', [], [], EVERYBODY],
  ['is the default one, and not expected', 'default', [REFUSED], ['handler_not_compared'], EVERYBODY],
])('a handler in force that %s', (_, handler, events, codes, told) => {
  const stage = stageWith({ OPENID_HANDLER_MODULE: handler });
  const found = guardFindings(events, stage).filter(({ subject }) => subject === 'openidLoggedIn');
  expect(found.map(({ code }) => code)).toEqual(codes);
  const name = handler === 'default' ? 'the default handler' : handler;
  expect(inForceLines(events, stage)[0]).toBe(`openidLoggedIn: ${name} (environment) ${told}`);
});

describe('secrets of a handler in force that SECRET_IDS does not list', () => {
  const both = answered('authorized', CAMPUS, ['own/key', 'own/client']);
  const ARN = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:own/key-a1B2c3';

  test('are an error each, with the line to add', () => {
    expect(secretFindings([both, both], stageWith(CLIENTS))).toEqual([
      expect.objectContaining({
        ...{ level: 'error', code: 'secret_not_listed', subject: CAMPUS },
        change: 'Write into .env.dev: SECRET_IDS=own/client,own/key',
      }),
    ]);
  });

  test.each<[string, Record<string, string>, Checked]>([
    ['listed', { ...CLIENTS, SECRET_IDS: 'own/key, own/client' }, both],
    ['listed by its ARN', { ...CLIENTS, SECRET_IDS: `own/client,${ARN}` }, both],
    ['that of signatures', { ...CLIENTS, SIGNING_SECRET_ID: 'own/key' }, both],
    ['asked for by another handler', CLIENTS, answered('authorized', 'handlers/other', ['own/key'])],
  ])('are none where one is %s', (_, settings, event) => {
    expect(secretFindings([event], stageWith(settings))).toEqual([]);
  });
});

test('an attack tells which checks are off, though that of assertions sees no signature', () => {
  const attacked = ['samlLoggedIn', 'openidLoggedIn'];
  expect(uncheckedLines({ attacked }, { env: { OPENID_TOKEN_CHECK: 'on' } })).toEqual([
    'SAML_ASSERTION_CHECK is off, so nothing looks at audience, recipient and times',
  ]);
});
