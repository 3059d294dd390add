/** What tests in a browser have in common. */

export const CHANGES = '/api/changes';
export const START_TIMEOUT_MS = 60_000;
