/** Routes on logins: the list, one of them, what changes, and what another handler answers. */
import { setTimeout } from 'node:timers/promises';
import { type Context, Hono } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { projectEntries } from '../../bundle/build.ts';
import { differencesOf } from '../../explain/differences.ts';
import { groupNamesIn } from '../../explain/groupNames.ts';
import type { Handler } from '../../explain/judgedSamples.ts';
import { mappingCoverages } from '../../explain/mappingCoverages.ts';
import type { Changed, Comparison, LoginDetail, LoginRow, MappingCoverage, Opened, Project } from '../api.ts';
import { handlersOf } from './handlerKinds.ts';
import type { Login } from './login.ts';
import type { Logins } from './logins.ts';
import { problem, type StudioEnv, type StudioState, withLogin } from './request.ts';
import { detailOf, rowOf, titleOf, typeOf } from './views.ts';

/** How often a stream that nothing changes says that it is there, in milliseconds. */
const PING_MS = 15_000;
/** Between two changes that are sent, in milliseconds. */
const BETWEEN_MS = 100;

export function loginRoutes(): Hono<StudioEnv> {
  const app = new Hono<StudioEnv>();
  app.get('/project', async (context) => context.json<Project>(await context.var.studio.project()));
  app.get('/logins', (context) => context.json<LoginRow[]>(context.var.studio.logins.all().map(rowOf)));
  app.get('/logins/:id', (context) =>
    withAnswer(context, async (login) => context.json<LoginDetail>(await detail(context, login))),
  );
  app.post('/logins/:id/ask', (context) =>
    withAnswer(context, async (login) => {
      const [failed] = await context.var.studio.logins.ask(login);
      return failed === undefined
        ? context.body(null, 204)
        : problem(context, 409, `${failed} got no response: is this system there, and open to this machine?`);
    }),
  );
  app.post('/logins/:id/editor/:what', (context) =>
    withAnswer(context, async (login) => {
      const place = placesIn(await detail(context, login))[context.req.param('what')];
      return typeof place === 'string'
        ? openEditor(context, place)
        : problem(context, 409, 'there is no file to open');
    }),
  );
  app.get('/changes', (context) =>
    // Nobody reads a stream in answer to HEAD, nor says when it is over.
    context.req.raw.method === 'HEAD'
      ? context.body(null)
      : streamSSE(context, (stream) => sendChanges(stream, context.var.studio)),
  );
  app.get('/compare/:functionName', async (context) => {
    const { logins } = context.var.studio;
    const functionName = context.req.param('functionName');
    const other = await handlerNamed(context.req.query('with') ?? '', functionName);
    if (other === undefined) return problem(context, 404, NO_HANDLER);
    return context.json<Comparison>(await comparisonOf(logins, loginsOf(logins, functionName), other));
  });
  app.get('/coverage/:functionName', async (context) => {
    const { engine, logins } = context.var.studio;
    const its = loginsOf(logins, context.req.param('functionName'));
    const found = await mappingCoverages(its, engine);
    return context.json<MappingCoverage[]>(
      found.map(({ events, ...mapping }) => ({ ...mapping, logins: events })),
    );
  });
  return app;
}

const DEFAULT = 'default';
const NO_HANDLER = 'expected a handler of the project that is for logins of this kind, or default';

/** @returns null for the default handler, undefined for one that logins of this kind do not have */
async function handlerNamed(name: string, functionName: string): Promise<Handler | null | undefined> {
  if (name === DEFAULT) return null;
  return (await handlersOf(functionName)).includes(name) ? { given: name, module: name } : undefined;
}

/** A login as the handler answers it that the query names; without one as the list has it. */
function withAnswer(context: Context<StudioEnv>, use: (login: Login) => Promise<Response>) {
  return withLogin(context, async (login) => {
    const name = context.req.query('handler');
    if (name === undefined) return use(login);
    const handler = await handlerNamed(name, login.sample.functionName);
    if (handler === undefined) return problem(context, 404, NO_HANDLER);
    return use(await context.var.studio.logins.answeredBy(login, handler));
  });
}

async function detail(context: Context<StudioEnv>, login: Login): Promise<LoginDetail> {
  const { engine, logins } = context.var.studio;
  const [sources, reads] = await Promise.all([projectEntries(), logins.reads(login)]);
  const around = { engine, sources, all: logins.all(), reads };
  return detailOf(login, { ...around, findings: logins.findingsOf(login) });
}

/** All logins at first, and after changes. Ends with the connection. */
async function sendChanges(stream: SSEStreamingApi, { logins, project }: StudioState): Promise<void> {
  const ended = Promise.withResolvers<void>();
  // A change may fail to be sent when the stream is over already.
  ended.promise.catch(() => {});
  stream.onAbort(ended.resolve);
  const changes = latestOnly(async (files) => {
    const rows = logins.all().map(rowOf);
    const changed: Changed = { logins: rows, forgotten: logins.forgotten, project: await project(), files };
    await stream.writeSSE({ event: 'logins', data: JSON.stringify(changed) });
  }, ended.reject);
  const endListening = logins.listen(changes);
  const ping = setInterval(() => void stream.writeSSE({ event: 'ping', data: '' }), PING_MS);
  try {
    changes([]);
    await ended.promise;
  } finally {
    endListening();
    clearInterval(ping);
  }
}

/** While one change is sent, those that come become one: a load of logins has many a second, and each sends them all. */
function latestOnly(send: (files: string[]) => Promise<void>, onFailure: (error: unknown) => void) {
  let waiting: Set<string> | null = null;
  let isSending = false;
  const sendAll = async () => {
    isSending = true;
    for (; waiting !== null; await setTimeout(BETWEEN_MS)) {
      const files = [...waiting];
      waiting = null;
      await send(files);
    }
    isSending = false;
  };
  return (files: readonly string[]) => {
    waiting = new Set([...(waiting ?? []), ...files]);
    if (!isSending) sendAll().catch(onFailure);
  };
}

/** What can be opened, from the project's folder; with line and column where they are known. */
function placesIn({ file, handlerFile, failure }: LoginDetail): Record<string, string | null> {
  const place = failure?.place ?? null;
  return {
    event: file,
    handler: handlerFile,
    failure: place === null ? null : `${place.file}:${place.line}:${place.column}`,
  };
}

async function openEditor(context: Context<StudioEnv>, place: string): Promise<Response> {
  const { openPlace } = await import('./editor.ts');
  const done = await openPlace(place);
  return 'opened' in done ? context.json<Opened>(done) : problem(context, 409, done.problem);
}

function loginsOf(logins: Logins, functionName: string): Login[] {
  return logins.all().filter(({ sample }) => sample.functionName === functionName);
}

async function comparisonOf(
  logins: Logins,
  its: readonly Login[],
  other: Handler | null,
): Promise<Comparison> {
  const all = await Promise.all(
    its.map(async (login) => {
      const { answered } = await logins.answeredBy(login, other);
      return { id: login.id, name: titleOf(login), before: login.baseline, after: answered };
    }),
  );
  return {
    after: other?.given ?? DEFAULT,
    groupNames: groupNamesIn(all.flatMap(({ before, after }) => [before, after])),
    rows: all.map(({ id, name, before, after }) => ({
      ...{ id, name },
      before: { type: typeOf(before), reason: before.reason },
      after: { type: typeOf(after), reason: after.reason },
      differences: differencesOf(before, after),
    })),
  };
}
