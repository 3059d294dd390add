/** One studio for the tests of a file. */
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { type OpenStudio, openStudio } from './openStudio.ts';

export const START_TIMEOUT_MS = 60_000;
/** The browser itself writes a line for each response with a status of 400 or more. */
const OF_STATUS = /status of 4\d\d/;

/**
 * The same for all tests of a file, from the first one on. After each of them, nothing went wrong unseen.
 *
 * @param files what is added to the copy of the project, by path
 */
export function useStudio(files: Record<string, string> = {}): OpenStudio {
  const open = {} as OpenStudio;
  beforeAll(async () => {
    Object.assign(open, await openStudio(files));
    await open.studio.ready();
  }, START_TIMEOUT_MS);
  afterEach(() => {
    expect(open.complaints.splice(0).filter((text) => !OF_STATUS.test(text))).toEqual([]);
  });
  afterAll(() => open.close?.());
  return open;
}
