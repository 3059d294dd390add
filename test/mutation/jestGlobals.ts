/** What tests import from `@jest/globals`, for tests that run without jest's own module loader. */
import { jestExpect } from '@jest/expect';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from 'jest-circus';

export const expect = jestExpect;

const mocker = new ModuleMocker(globalThis);
// The project's configuration has nothing about timers.
const timers = new ModernFakeTimers({ global: globalThis, config: { fakeTimers: {} } as never });

export const jest = {
  fn: mocker.fn.bind(mocker),
  mocked: mocker.mocked.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: mocker.restoreAllMocks.bind(mocker),
  useFakeTimers: timers.useFakeTimers.bind(timers),
  useRealTimers: timers.useRealTimers.bind(timers),
  advanceTimersByTime: timers.advanceTimersByTime.bind(timers),
  getTimerCount: timers.getTimerCount.bind(timers),
};
