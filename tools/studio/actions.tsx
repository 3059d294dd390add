/**
 * What the forms of the page do. Each answers with where to go, with HTML of what came of it, or with a sentence. What cannot
 * be used is thrown, and the app tells it.
 */
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { type Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { readCapture } from '../capture/readCapture.ts';
import { planKeep, type SamplePlan, writeKept } from '../keep/plan.ts';
import { SignInRefused } from '../signIn/refusals.ts';
import { hrefTo } from './address.ts';
import { detailOf } from './detail.ts';
import { type Login, withRecordings } from './logins.ts';
import { rowOf } from './row.ts';
import type { SignIns } from './signIns.ts';
import { placeIn, type StudioState } from './studio.ts';
import { Plan } from './views/keep.tsx';
import { type Capture, Captures } from './views/paste.tsx';
import { Refusal, Warned } from './views/signIn.tsx';
import { PROTOCOLS, type Protocol } from './words.ts';

export type StudioEnv = { Variables: { studio: StudioState } };

/** Older ones cannot be confirmed any more. */
const MAX_PLANS = 20;

export function actionRoutes(signIns: SignIns): Hono<StudioEnv> {
  const app = new Hono<StudioEnv>();
  const plans = new LRUCache<string, SamplePlan>({ max: MAX_PLANS });
  app.post('/paste', async (context) =>
    context.json(await paste(await fieldsOf(context), context.var.studio)),
  );
  app.post('/logins/:id/ask', async (context) => {
    const [failed] = await context.var.studio.logins.ask(loginOf(context));
    if (failed === undefined) return context.json({});
    throw refusal(409, `${failed} got no response: is this system there, and open to this machine?`);
  });
  app.post('/logins/:id/editor/:what', async (context) => {
    const { files } = await detailOf(loginOf(context), context.var.studio);
    return openEditor(context, files.get(context.req.param('what')));
  });
  app.post('/editor/:problem', async (context) => {
    const { problems } = context.var.studio.project();
    return openEditor(context, placeIn(problems[Number(context.req.param('problem'))] ?? ''));
  });
  app.post('/logins/:id/keep', async (context) => {
    const login = loginOf(context);
    const fields = await fieldsOf(context);
    const ticked = tickedIn(fields);
    const { sample, handler } = login;
    const plan = await planKeep({
      engine: context.var.studio.engine,
      functionName: sample.functionName,
      event: sample.event,
      name: await textOf(fields, 'name'),
      allowed: ticked,
      exchanges: withRecordings(login).recordings,
      handler,
    });
    const planId = plan.blockers.length > 0 ? null : randomUUID();
    if (planId !== null) plans.set(planId, plan);
    return context.json({ html: String(<Plan id={login.id} planId={planId} plan={plan} ticked={ticked} />) });
  });
  app.post('/keeps/:plan', async (context) => {
    const planId = context.req.param('plan');
    const plan = plans.get(planId);
    plans.delete(planId);
    if (!plan) throw refusal(404, 'this plan does not exist any more: make it again');
    await writeKept(plan);
    await context.var.studio.logins.refresh();
    return context.json({ go: hrefTo('logins', `${basename(plan.folder)}.${plan.name}`) });
  });
  app.post('/sign-in/:protocol', async (context) => {
    const protocol = context.req.param('protocol');
    if (!Object.hasOwn(PROTOCOLS, protocol)) throw refusal(404, 'there is no such protocol');
    return context.json(await signIn(protocol as Protocol, await fieldsOf(context), signIns));
  });
  return app;
}

function refusal(status: 404 | 409, message: string): HTTPException {
  return new HTTPException(status, { message });
}

type Fields = Record<string, string | File | (string | File)[]>;

/** A form as browsers send it. Anything else has no fields. */
async function fieldsOf(context: Context): Promise<Fields> {
  return context.req.parseBody({ all: true }).catch(() => ({}));
}

/** Of a field, or of the file that stands beside it. */
async function textOf(fields: Fields, name: string): Promise<string> {
  const [text, file] = [name, `${name}File`].map((one) => (Object.hasOwn(fields, one) ? fields[one] : ''));
  if (typeof text === 'string' && text.trim() !== '') return text;
  return file instanceof File ? file.text() : '';
}

const PlacedText = v.pipe(v.string(), v.parseJson(), v.object({ path: v.string(), text: v.string() }));

function tickedIn({ ticked = [] }: Fields): SamplePlan['replaced'] {
  return [ticked].flat().flatMap((one) => {
    const { success, output } = v.safeParse(PlacedText, one);
    return success ? [output] : [];
  });
}

/** A login by its id out of the list, never by a path. */
function loginOf({ var: { studio }, req }: Context<StudioEnv>): Login {
  const login = studio.logins.get(req.param('id') ?? '');
  if (!login) throw refusal(404, 'there is no such login');
  return login;
}

async function openEditor(context: Context, place: string | null | undefined): Promise<Response> {
  if (!place) throw refusal(409, 'there is no file to open');
  const { openPlace } = await import('./editor.ts');
  return context.json({ message: await openPlace(place) });
}

/** One login is shown at once; of more, or of none, what was found. */
async function paste(fields: Fields, { engine, logins }: StudioState) {
  const metadata = await textOf(fields, 'metadata');
  const found = await readCapture(await textOf(fields, 'text'), {
    environment: engine.stage.environmentOf,
    ...(metadata !== '' && { metadata }),
  });
  const captures = await Promise.all(
    found.map(async (one): Promise<Capture> => {
      const { kind, where, functionName, events, findings } = one;
      if (events === null) return { ...one, row: null };
      const all = [...findings, ...(await logins.knownForm(functionName, events))];
      const name = [kind, where].filter(Boolean).join(', ');
      const login = await logins.pasted(functionName, events.plain, name, all);
      return { ...one, findings: logins.findingsOf(login), row: rowOf(login) };
    }),
  );
  const [first] = captures;
  if (captures.length === 1 && first?.row) return { go: hrefTo('logins', first.row.id) };
  return { html: String(<Captures captures={captures} />) };
}

async function signIn(protocol: Protocol, fields: Fields, signIns: SignIns) {
  const texts = Object.entries(fields).filter(([, value]) => typeof value === 'string');
  const typed = { ...Object.fromEntries(texts), metadata: await textOf(fields, 'metadata') };
  try {
    const { url, warning } = await signIns.start(protocol, typed);
    if (warning !== null) return { html: String(<Warned url={url} warning={warning} />) };
    return { open: url, message: `Opening ${new URL(url).host} …` };
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error;
    return { html: String(<Refusal fix={error.fix} providerMessage={error.providerMessage} />) };
  }
}
