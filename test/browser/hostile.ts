/** What hostile requests have in common. */
import { expect } from '@jest/globals';
import type { Studio } from '../support/studio.ts';
import { type RawRequest, type RawResponse, rawRequest } from './rawRequest.ts';

/** A sample event of the project, and paths that are about it. */
export const LOGIN = 'openidLoggedIn.entra';
export const DETAIL = `/api/logins/${LOGIN}`;
export const CHANGES = '/api/changes';
export const PASTE = '/api/paste';
export const MAX_BYTES = 10_000_000;
export const START_TIMEOUT_MS = 60_000;

export interface Sender {
  send(path: string, request?: Partial<RawRequest>): Promise<RawResponse>;
  /** With the token, and with JSON where there is a body. */
  sendOwn(path: string, request?: Partial<RawRequest>): Promise<RawResponse>;
}

export function senderTo({ ports, token }: Studio): Sender {
  const send = (path: string, request: Partial<RawRequest> = {}) =>
    rawRequest({ port: ports.studio, path, ...request });
  const own = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return {
    send,
    sendOwn: (path, request = {}) => send(path, { ...request, headers: { ...own, ...request.headers } }),
  };
}

/** Without a word of a login or of a file. */
export function expectNothingIn({ body }: RawResponse): void {
  expect(body).not.toMatch(/LoggedIn|Lovelace|root:|"version"|^import /m);
}
