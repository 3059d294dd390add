/** What tests in a browser have in common. */

export const PAGE = '/api/page';
export const START_TIMEOUT_MS = 60_000;
