/** Many logins at the same time in one process, under the client that runs functions on Lambda Managed Instances. */
import { expect, test } from '@jest/globals';
import { runtimeInterfaceClient } from '../../tools/aws/runtimeInterfaceClient.ts';
import { startConcurrentFunction } from '../../tools/lambda/concurrentFunction.ts';
import { openIdEvent } from '../support/wire.ts';

const CONCURRENCY = { maxConcurrency: 64, workers: 2 };

test('each login of many in flight gets its own answer', async () => {
  const clientFile = runtimeInterfaceClient() ?? '';
  const fn = await startConcurrentFunction({ name: 'openidLoggedIn', clientFile, concurrency: CONCURRENCY });
  await fn.ready();
  const emails = Array.from({ length: 1_000 }, (_, number) => `person-${number}@example.org`);
  const answers = emails.map((email) => {
    const event = openIdEvent();
    event.idToken.otherClaims.email = email;
    return fn.invoke(event);
  });
  expect(await Promise.all(answers)).toEqual(emails.map((email) => expect.objectContaining({ email })));
  await fn.stop();
  expect(fn.unexpected()).toEqual([]);
  expect(fn.records().filter(({ event }) => event === 'login')).toHaveLength(emails.length);
});
