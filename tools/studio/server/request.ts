/** What the routes share: their state, a login by its id, a body by its schema, and how they refuse. */
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import * as v from 'valibot';
import { problemsOf } from '../../../lib/schema.ts';
import type { Engine } from '../../local/engine.ts';
import type { Problem, Project } from '../api.ts';
import type { Login } from './login.ts';
import type { Logins } from './logins.ts';

/** What the routes work on. */
export interface StudioState {
  engine: Engine;
  logins: Logins;
  project: () => Promise<Project>;
}

export type StudioEnv = { Variables: { studio: StudioState } };

/** A login by its id out of the list, never by a path. */
export function withLogin<TResult>(
  context: Context<StudioEnv>,
  use: (login: Login) => TResult,
): TResult | Response {
  const login = context.var.studio.logins.get(context.req.param('id') ?? '');
  return login ? use(login) : problem(context, 404, 'there is no such login');
}

export function problem(context: Context, status: 404 | 409 | 422, message: string): Response {
  return context.json<Problem>({ message }, status);
}

/** @param maxSize of a body, in bytes */
export function limit(maxSize: number): MiddlewareHandler {
  const message = `expected at most ${maxSize} bytes`;
  return bodyLimit({ maxSize, onError: (context) => context.json<Problem, 413>({ message }, 413) });
}

/** @throws {HTTPException} 400 for a body that is not JSON, 422 for one of another form */
export async function bodyOf<TSchema extends v.GenericSchema>(
  context: Context<StudioEnv>,
  schema: TSchema,
): Promise<v.InferOutput<TSchema>> {
  const result = v.safeParse(schema, await jsonOf(context));
  if (result.success) return result.output;
  throw refusal(422, problemsOf(result.issues).join('; '));
}

async function jsonOf(context: Context<StudioEnv>): Promise<unknown> {
  try {
    return await context.req.json();
  } catch {
    throw refusal(400, 'expected a body of JSON');
  }
}

function refusal(status: 400 | 422, message: string): HTTPException {
  return new HTTPException(status, {
    message,
    res: Response.json({ message } satisfies Problem, { status }),
  });
}
