/** Routes on logins: the list, one of them, what changes, and what another handler answers. */
import { type Context, Hono } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { type Entry, projectEntries } from '../../bundle/build.ts';
import { differencesOf } from '../../explain/differences.ts';
import { groupNamesIn } from '../../explain/groupNames.ts';
import { mappingCoverages } from '../../explain/mappingCoverages.ts';
import type { Engine } from '../../local/engine.ts';
import { Samples } from '../../local/samples.ts';
import type { Changed, Comparison, LoginDetail, LoginRow, MappingCoverage, Opened, Project } from '../api.ts';
import type { Login, Logins } from './logins.ts';
import { problem, type StudioEnv, type StudioState, withLogin } from './request.ts';
import { detailOf, rowOf, typeOf } from './views.ts';

/** How often a stream that nothing changes says that it is there, in milliseconds. */
const PING_MS = 15_000;

export function loginRoutes(): Hono<StudioEnv> {
  const app = new Hono<StudioEnv>();
  app.get('/project', async (context) => context.json<Project>(await context.var.studio.project()));
  app.get('/logins', (context) => context.json<LoginRow[]>(context.var.studio.logins.all().map(rowOf)));
  app.get('/logins/:id', (context) =>
    withLogin(context, async (login) => context.json<LoginDetail>(await detail(context, login))),
  );
  app.post('/logins/:id/ask', (context) =>
    withLogin(context, async (login) => {
      await context.var.studio.logins.ask(login);
      return context.body(null, 204);
    }),
  );
  app.post('/logins/:id/editor/:what', (context) =>
    withLogin(context, async (login) => {
      const place = placesIn(login, await projectEntries())[context.req.param('what')];
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
    const { engine, logins, project } = context.var.studio;
    const other = context.req.query('with') ?? '';
    const { handlers } = await project();
    if (!handlers.includes(other)) return problem(context, 404, 'expected a handler of the project');
    const its = loginsOf(logins, context.req.param('functionName'));
    return context.json<Comparison>(await comparisonOf(engine, its, other));
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

async function detail(context: Context<StudioEnv>, login: Login): Promise<LoginDetail> {
  const { logins } = context.var.studio;
  const [sources, reads] = await Promise.all([projectEntries(), logins.reads(login)]);
  return detailOf(login, { sources, all: logins.all(), reads });
}

/** All logins at first, and after each change. Ends with the connection. */
async function sendChanges(stream: SSEStreamingApi, { logins, project }: StudioState): Promise<void> {
  const send = async (files: readonly string[]) => {
    const changed: Changed = { logins: logins.all().map(rowOf), project: await project(), files: [...files] };
    await stream.writeSSE({ event: 'logins', data: JSON.stringify(changed) });
  };
  const ended = Promise.withResolvers<void>();
  // A change may fail to be sent when the stream is over already.
  ended.promise.catch(() => {});
  stream.onAbort(ended.resolve);
  const endListening = logins.listen((files) => void send(files).catch(ended.reject));
  const ping = setInterval(() => void stream.writeSSE({ event: 'ping', data: '' }), PING_MS);
  try {
    await send([]);
    await ended.promise;
  } finally {
    endListening();
    clearInterval(ping);
  }
}

/** What can be opened, from the project's folder; with line and column where they are known. */
function placesIn(login: Login, sources: readonly Entry[]): Record<string, string | null> {
  const { file, handlerFile, failure } = detailOf(login, { sources, all: [], reads: null });
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

async function comparisonOf(engine: Engine, logins: readonly Login[], other: string): Promise<Comparison> {
  const samples = new Samples(engine, { isOffline: true });
  const all = await Promise.all(
    logins.map(async ({ id, sample, baseline }) => {
      const after = await samples.answer(sample, other);
      return { id, name: sample.name, before: baseline, after };
    }),
  );
  return {
    after: other,
    groupNames: groupNamesIn(all.flatMap(({ before, after }) => [before, after])),
    rows: all.map(({ id, name, before, after }) => ({
      ...{ id, name },
      before: { type: typeOf(before), reason: before.reason },
      after: { type: typeOf(after), reason: after.reason },
      differences: differencesOf(before, after),
    })),
  };
}
