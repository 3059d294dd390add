/**
 * What the forms of the page do. Each answers with where to go, with HTML of what came of it, or with a sentence. What cannot
 * be used is thrown, and the app tells it.
 */
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { type Context, Hono } from 'hono';
import * as v from 'valibot';
import type { Captured } from '../capture/captured.ts';
import { readCapture } from '../capture/readCapture.ts';
import { planKeep, type SamplePlan, writeKept } from '../keep/plan.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { typed } from '../shared/usage.ts';
import { SignInRefused } from '../signIn/refusals.ts';
import { hrefTo } from './address.ts';
import { handlerNamed } from './comparison.ts';
import { detailOf, placesIn } from './detail.ts';
import { heardSample, type Login } from './login.ts';
import { rowOf } from './row.ts';
import type { SignInForm, SignIns } from './signIns.ts';
import type { StudioState } from './studio.ts';
import { Kept, Plan } from './views/keep.tsx';
import { type Capture, Captures } from './views/paste.tsx';
import { Refusal, Warned } from './views/signIn.tsx';
import { PROTOCOLS, type Protocol } from './words.ts';

export type StudioEnv = { Variables: { studio: StudioState } };

/** What a form is answered with. */
interface Outcome {
  /** The address to go to. */
  go?: string;
  /** Of the web, to be opened by `location.assign`. */
  open?: string;
  /** What came of it. */
  html?: string;
  message?: string;
}

type Fields = Record<string, string | File | (string | File)[]>;

export function actionRoutes(signIns: SignIns): Hono<StudioEnv> {
  const app = new Hono<StudioEnv>();
  const plans = new Plans();
  app.post('/paste', async (context) => {
    const fields = await fieldsOf(context);
    const [text, metadata] = await Promise.all([textOf(fields, 'text'), textOf(fields, 'metadata')]);
    return answer(context, await paste(text, metadata, context.var.studio));
  });
  app.post('/logins/:id/ask', (context) =>
    withLogin(context, async (login) => {
      const [failed] = await context.var.studio.logins.ask(login);
      return failed === undefined
        ? answer(context, {})
        : refuse(context, 409, `${failed} got no response: is this system there, and open to this machine?`);
    }),
  );
  app.post('/logins/:id/editor/:what', (context) =>
    withLogin(context, async (login) => {
      const places = placesIn(await detailOf(login, context.var.studio));
      const what = context.req.param('what') ?? '';
      return openEditor(context, Object.hasOwn(places, what) ? (places[what] ?? null) : null);
    }),
  );
  app.post('/editor/:problem', async (context) => {
    const { problems } = await context.var.studio.project();
    return openEditor(context, problems[Number(context.req.param('problem'))]?.place ?? null);
  });
  app.post('/logins/:id/keep', (context) =>
    withLogin(context, async (login) => {
      const fields = await fieldsOf(context);
      const name = await textOf(fields, 'name');
      const ticked = tickedIn(fields);
      const plan = await planOf(login, { name, ticked }, context.var.studio);
      const planId = plans.remember(plan);
      return answer(context, {
        html: String(<Plan id={login.id} planId={planId} plan={plan} ticked={ticked} />),
      });
    }),
  );
  app.post('/keeps/:plan', async (context) => {
    const plan = plans.take(context.req.param('plan'));
    if (!plan) return refuse(context, 404, 'this plan does not exist any more: make it again');
    await writeKept(plan);
    await context.var.studio.logins.refresh();
    const id = `${basename(plan.folder)}.${plan.name}`;
    return answer(
      context,
      { html: String(<Kept id={id} files={plan.files} command={typed('check')} />) },
      201,
    );
  });
  app.post('/sign-in/:protocol', async (context) => {
    const protocol = context.req.param('protocol');
    if (!Object.hasOwn(PROTOCOLS, protocol)) return refuse(context, 404, 'there is no such protocol');
    const outcome = await signIn(protocol as Protocol, await fieldsOf(context), signIns).catch((error) => {
      if (!(error instanceof SignInRefused)) throw error;
      return { html: String(<Refusal fix={error.fix} providerMessage={error.providerMessage} />) };
    });
    return answer(context, outcome);
  });
  return app;
}

function answer(context: Context, outcome: Outcome, status: 200 | 201 = 200): Response {
  return context.json(outcome, status);
}

function refuse(context: Context, status: 404 | 409 | 422, message: string): Response {
  return context.json<Outcome, 404 | 409 | 422>({ message }, status);
}

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

/** What was ticked stands in the values of the boxes. */
function tickedIn({ ticked = [] }: Fields) {
  return [ticked].flat().flatMap((one) => {
    const { success, output } = v.safeParse(PlacedText, one);
    return success ? [output] : [];
  });
}

/** A login by its id out of the list, never by a path; as the handler answers it that the address names. */
async function withLogin(
  context: Context<StudioEnv>,
  use: (login: Login) => Promise<Response>,
): Promise<Response> {
  const { logins } = context.var.studio;
  const login = logins.get(context.req.param('id') ?? '');
  if (!login) return refuse(context, 404, 'there is no such login');
  const name = context.req.query('handler');
  if (name === undefined) return use(login);
  const handler = await handlerNamed(name, login.sample.functionName);
  if (handler === undefined)
    return refuse(context, 404, 'expected a handler of the project for logins of this kind, or default');
  return use(await logins.answeredBy(login, handler));
}

async function openEditor(context: Context, place: string | null): Promise<Response> {
  if (place === null) return refuse(context, 409, 'there is no file to open');
  const { openPlace } = await import('./editor.ts');
  const done = await openPlace(place);
  return 'opened' in done ? answer(context, { message: done.opened }) : refuse(context, 409, done.problem);
}

/** One login is shown at once; of more, or of none, what was found. */
async function paste(text: string, metadata: string, { engine, logins }: StudioState): Promise<Outcome> {
  const found = await readCapture(text, {
    environment: engine.stage.environmentOf,
    ...(metadata !== '' && { metadata }),
  });
  const captures = await Promise.all(
    found.map(async ({ kind, where, functionName, events, findings }: Captured): Promise<Capture> => {
      if (events === null) return { kind, where, findings, row: null };
      const all = [...findings, ...(await logins.knownForm(functionName, events))];
      const name = [kind, where].filter(Boolean).join(', ');
      const login = await logins.pasted(functionName, events.plain, name, all);
      return { kind, where, findings: logins.findingsOf(login), row: rowOf(login) };
    }),
  );
  const [first] = captures;
  if (captures.length === 1 && first?.row) return { go: hrefTo('logins', first.row.id) };
  return { html: String(<Captures captures={captures} />) };
}

/** A plan is written once it is confirmed. Older ones cannot be confirmed any more. */
class Plans {
  static readonly #MAX = 20;
  readonly #plans = new Map<string, SamplePlan>();

  /** @returns null where something stands in the way */
  remember(plan: SamplePlan): string | null {
    if (plan.blockers.length > 0) return null;
    const id = randomUUID();
    this.#plans.set(id, plan);
    const [oldest = ''] = this.#plans.keys();
    if (this.#plans.size > Plans.#MAX) this.#plans.delete(oldest);
    return id;
  }

  take(id: string): SamplePlan | undefined {
    const plan = this.#plans.get(id);
    this.#plans.delete(id);
    return plan;
  }
}

type Ticked = ReturnType<typeof tickedIn>;

function planOf(
  login: Login,
  given: { name: string; ticked: Ticked },
  { engine }: StudioState,
): Promise<SamplePlan> {
  const { sample, handler } = login;
  const { functionName, event } = sample;
  return planKeep({
    ...{ engine, functionName, event, exchanges: heardSample(login).recordings },
    name: given.name,
    allowed: given.ticked,
    handlerModule: handler?.module,
    handlerName: handler?.given,
  });
}

const TYPED = [
  'issuer',
  'clientId',
  'clientSecret',
  'secretName',
  'scopes',
  'metadataUrl',
  'entityId',
] as const;

async function signIn(protocol: Protocol, fields: Fields, signIns: SignIns): Promise<Outcome> {
  const texts = await Promise.all(TYPED.map(async (name) => [name, await textOf(fields, name)]));
  const form: SignInForm = { ...Object.fromEntries(texts), metadata: await textOf(fields, 'metadata') };
  const isAgain = fields.again === 'yes';
  const { url, warning } = await signIns.start(
    protocol,
    isAgain ? null : form,
    fields.somebodyElse === 'yes',
  );
  const address = URL.parse(url);
  if (address === null || !['http:', 'https:'].includes(address.protocol))
    throw new UnusableInput(NOT_OF_THE_WEB);
  if (warning !== null) return { html: String(<Warned url={address} warning={warning} />) };
  return { open: address.href, message: `Opening ${address.host} …` };
}

const NOT_OF_THE_WEB =
  "The provider's login page has an address that is not http or https. Check authorization_endpoint of its discovery document, or SingleSignOnService of its metadata.";
