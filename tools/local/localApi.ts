/** What the two local APIs have in common. They ask for no token, as their originals on AWS have other guards. */
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { requireHost } from '../shared/loopback.ts';
import type { InvocationResult } from './invocation.ts';

export type AnswerLogin = (functionName: string, event: unknown) => Promise<InvocationResult>;

export type LocalApi = Hono<{ Bindings: HttpBindings }>;

export interface LocalApiOptions {
  port: number;
  /** Of a body, in bytes. */
  maxSize: number;
  /** What is answered to a longer body. */
  tooLarge: () => Response;
}

export function localApi({ port, maxSize, tooLarge }: LocalApiOptions): LocalApi {
  const app: LocalApi = new Hono();
  app.use(requireHost(port, { isTunnelled: true }));
  app.use(async ({ req }, next) => {
    // Only browsers send these headers. A page of any site can post to this machine: it cannot read the answer, but a
    // handler would run with what it posts.
    const isFromPage = req.header('origin') ?? req.header('sec-fetch-site');
    return isFromPage === undefined ? next() : refused(403, 'web pages may not send requests here');
  });
  app.use(bodyLimit({ maxSize, onError: tooLarge }));
  app.onError(failed);
  return app;
}

/** As API Gateway writes its own errors. */
export function refused(status: number, message: string): Response {
  return Response.json({ message }, { status });
}

export function failed(): Response {
  return refused(500, 'Internal Server Error');
}
