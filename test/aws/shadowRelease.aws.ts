/**
 * The release of a policy, from its first day as a shadow to the switch, under the client that runs functions on Lambda: one login
 * at a time as on ordinary Lambda, and many as on Managed Instances.
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { LogRecord } from '../../tools/local/process/logRecords.ts';
import { customHandler } from '../support/customHandler.ts';
import { startConcurrentFunction } from '../support/lambda/concurrentFunction.ts';
import { startLambda } from '../support/lambda/lambdaFunction.ts';
import { countsOf } from '../support/monitoring.ts';
import { openIdEvent } from '../support/wire.ts';
import { runtimeInterfaceClient } from './machine/runtimeInterfaceClient.ts';

const NAME = 'openidLoggedIn';
const CONCURRENCY = { maxConcurrency: 64, workers: 2 };
const MAX_WAITING_SHADOWS = 8;
const PEOPLE = 240;
const AFFILIATIONS = ['staff', 'faculty', 'student', 'alum', undefined] as const;
const STAFF_GROUP = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';

/** @param decide an expression over `role` and `profile`; it may throw */
const policy = (decide: string) => `
  const STAFF_GROUP = '${STAFF_GROUP}';
  const no = () => ({ type: 'ForbiddenResponse', message: 'Staff alone may log in here.' });
  export default async (event) => {
    const { email, role } = event.id_token.other_claims;
    const profile = { type: 'AuthorizedUserResponse', first_name: 'A', last_name: 'B', email };
    return ${decide};
  };`;

const OLD = policy(`role === 'staff' || role === 'faculty' ? profile : no()`);
/** It lets students in, which nobody meant, and fails for people without a role. */
const MISTAKEN = policy(`role.startsWith('st') || role === 'faculty' ? profile : no()`);
/** Faculty is refused from now on, and staff is in a group. */
const NEW = policy(`role === 'staff' ? { ...profile, user_group_uuids: [STAFF_GROUP] } : no()`);
const HANGING = policy('new Promise(() => {})');

interface Played {
  /** The answers, in the order of the people; at the same time where the process takes many. */
  logIn(people: Person[]): Promise<Answer[]>;
  stop(): Promise<LogRecord[]>;
}

interface Person {
  email: string;
  role: string | undefined;
}

interface Answer {
  type: string;
  user_group_uuids?: string[];
}

const people: Person[] = Array.from({ length: PEOPLE }, (_, number) => ({
  email: `person-${number}@example.org`,
  role: AFFILIATIONS[number % AFFILIATIONS.length],
}));
const withRole = (role: string | undefined) => people.filter((person) => person.role === role).length;

function eventOf({ email, role }: Person) {
  const event = openIdEvent();
  Object.assign(event.idToken.otherClaims, { email, role });
  return event;
}

async function oneAtATime(env: Record<string, string>): Promise<Played> {
  const fn = await startLambda({ name: NAME, env, clientFile: runtimeInterfaceClient() ?? '' });
  return {
    async logIn(people) {
      const answers: Answer[] = [];
      for (const person of people) answers.push((await fn.invoke(eventOf(person), randomUUID())) as Answer);
      return answers;
    },
    async stop() {
      await fn.stop();
      return fn.records();
    },
  };
}

async function manyAtATime(env: Record<string, string>): Promise<Played> {
  const clientFile = runtimeInterfaceClient() ?? '';
  const fn = await startConcurrentFunction({ name: NAME, env, clientFile, concurrency: CONCURRENCY });
  await fn.ready();
  return {
    logIn: (people) => Promise.all(people.map((person) => fn.invoke(eventOf(person)) as Promise<Answer>)),
    async stop() {
      // What is asked after an answer is still under way.
      await new Promise((resolve) => setTimeout(resolve, 500));
      await fn.stop();
      // The client's own id in a line is that of the login that the record is about.
      for (const { requestId, message } of fn.lines()) {
        const { requestId: ofRecord } = message as LogRecord;
        if (ofRecord !== undefined) expect(requestId).toBe(ofRecord);
      }
      return fn.records();
    },
  };
}

/** One phase of a release: all people log in. */
async function phase(start: (env: Record<string, string>) => Promise<Played>, real: string, shadow: string) {
  const played = await start({
    OPENID_HANDLER_MODULE: await customHandler(real),
    OPENID_SHADOW_HANDLER_MODULE: await customHandler(shadow),
  });
  const answers: Answer[] = [];
  // Not more at a time than shadows may wait: each of them is asked.
  for (let first = 0; first < people.length; first += MAX_WAITING_SHADOWS) {
    answers.push(...(await played.logIn(people.slice(first, first + MAX_WAITING_SHADOWS))));
    await new Promise((resolve) => setTimeout(resolve, start === manyAtATime ? 20 : 0));
  }
  const records = await played.stop();
  return { answers, records, metrics: countsOf(records, { OPENID_SHADOW_HANDLER_MODULE: 'a shadow' }) };
}

/** What the metrics of a phase in which nobody is compared would count. */
const NONE = {
  Logins: PEOPLE,
  ShadowCompared: 0,
  ShadowWouldAdmit: 0,
  ShadowWouldRefuse: 0,
  ShadowProfileDiffers: 0,
  ShadowFailed: 0,
  ShadowSkipped: 0,
};

test.each([
  ['one login at a time', oneAtATime],
  ['many logins at a time', manyAtATime],
])('a policy is tried, mended, tried again and released: %s', async (_, start) => {
  const isIn = ({ type }: Answer) => type === 'AuthorizedUserResponse';
  const before = people.map(({ role }) => role === 'staff' || role === 'faculty');

  // A week of it would have shown: students get in, and people without a role get an error.
  const first = await phase(start, OLD, MISTAKEN);
  expect(first.answers.map(isIn)).toEqual(before);
  expect(first.metrics).toMatchObject({
    ...NONE,
    ShadowCompared: PEOPLE - withRole(undefined),
    ShadowWouldAdmit: withRole('student'),
    ShadowFailed: withRole(undefined),
  });

  const second = await phase(start, OLD, NEW);
  expect(second.answers.map(isIn)).toEqual(before);
  expect(second.metrics).toMatchObject({
    ...NONE,
    ShadowCompared: PEOPLE,
    ShadowWouldRefuse: withRole('faculty'),
    ShadowProfileDiffers: withRole('staff'),
  });
  expect(second.records.find(({ effect }) => effect === 'profile_differs')).toMatchObject({
    fields: ['user_group_uuids'],
    groups: { more: 1, fewer: 0 },
  });

  // The switch: what the shadow said of each kind of login is what becomes of it.
  const third = await phase(start, NEW, OLD);
  expect(third.answers.map((answer) => (isIn(answer) ? answer.user_group_uuids : null))).toEqual(
    people.map(({ role }) => (role === 'staff' ? [STAFF_GROUP] : null)),
  );
  expect(third.metrics).toMatchObject({
    ...NONE,
    ShadowCompared: PEOPLE,
    ShadowWouldAdmit: withRole('faculty'),
    ShadowProfileDiffers: withRole('staff'),
  });

  for (const { records } of [first, second, third]) {
    expect(records.filter(({ event }) => event === 'login')).toHaveLength(PEOPLE);
    expect(JSON.stringify(records)).not.toMatch(/person-\d|Staff alone/);
  }
});

test('many at a time, the answers do not wait for a shadow that hangs, and a few shadows wait', async () => {
  const played = await manyAtATime({
    OPENID_HANDLER_MODULE: await customHandler(OLD),
    OPENID_SHADOW_HANDLER_MODULE: await customHandler(HANGING),
    SHADOW_TIMEOUT_MS: '20000',
  });
  const start = performance.now();
  expect(await played.logIn(people)).toHaveLength(PEOPLE);
  expect(performance.now() - start).toBeLessThan(10_000);
  const records = await played.stop();
  const skipped = records.filter(({ event }) => event === 'shadow_skipped');
  expect(skipped).toHaveLength(PEOPLE - CONCURRENCY.workers * MAX_WAITING_SHADOWS);
  expect(new Set(skipped.map(({ cause }) => cause))).toEqual(new Set(['busy']));
});

test('one at a time, an answer waits for its shadow as long as it may, and then never again for a minute', async () => {
  const played = await oneAtATime({
    OPENID_HANDLER_MODULE: await customHandler(OLD),
    OPENID_SHADOW_HANDLER_MODULE: await customHandler(HANGING),
    SHADOW_TIMEOUT_MS: '50',
  });
  expect(await played.logIn(people.slice(0, 20))).toHaveLength(20);
  const events = (await played.stop()).map(({ event, cause }) => cause ?? event);
  const ofShadow = events.filter((event) => event === 'shadow_failed' || event === 'resting');
  expect(ofShadow).toEqual([...Array(5).fill('shadow_failed'), ...Array(15).fill('resting')]);
});
