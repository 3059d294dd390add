/** The page for an address, and its stream: at first all of it, and then each part that is another. */
import { setTimeout } from 'node:timers/promises';
import type { Context } from 'hono';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { stream } from 'hono/streaming';
import { mappingCoverages } from '../explain/coverage.ts';
import { issuerOf, proposedName } from '../keep/plan.ts';
import { eventInside } from '../local/httpEvent.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { type Address, addressIn } from './address.ts';
import { detailOf } from './detail.ts';
import type { Login } from './logins.ts';
import { openedFirst, rowOf } from './row.ts';
import type { SignIns } from './signIns.ts';
import type { Project, StudioState } from './studio.ts';
import { CompareView, comparisonOf } from './views/compare.tsx';
import { KeepView } from './views/keep.tsx';
import { LoginList } from './views/list.tsx';
import { LoginView } from './views/login.tsx';
import { PasteView } from './views/paste.tsx';
import { NoLoginView, SignInView } from './views/signIn.tsx';
import { Top } from './views/top.tsx';

const PARTS = ['top', 'list', 'main'] as const;

export interface Page extends Record<(typeof PARTS)[number], string> {
  /** The view, and what it is of: a page with the same key is an update. */
  key: string;
}

interface View {
  key: string;
  main: JSX.Element;
}

/** Between two changes that are sent, in milliseconds. */
const BETWEEN_MS = 50;

/** A line of JSON for each change. Ends with the connection. */
export function streamPage(context: Context, state: StudioState, signIns: SignIns): Response {
  // Nobody reads a stream in answer to HEAD, nor says when it is over.
  if (context.req.raw.method === 'HEAD') return context.body(null);
  const at = context.req.query('at') ?? '';
  context.header('content-type', 'application/x-ndjson; charset=utf-8');
  return stream(context, async (out) => {
    let changed = Promise.withResolvers<void>();
    const wake = () => changed.resolve();
    out.onAbort(wake);
    const endListening = state.logins.listen(wake);
    let before: Partial<Page> = {};
    try {
      while (!out.aborted) {
        // While one change is sent, those that come become one: a load of logins has many a second.
        changed = Promise.withResolvers();
        const page = await pageAt(at, state, signIns);
        const parts = PARTS.filter((part) => page[part] !== before[part]).map((part) => [part, page[part]]);
        if (parts.length > 0)
          await out.writeln(JSON.stringify({ key: page.key, ...Object.fromEntries(parts) }));
        before = page;
        await setTimeout(BETWEEN_MS);
        await changed.promise;
      }
    } finally {
      endListening();
    }
  });
}

async function pageAt(at: string, state: StudioState, signIns: SignIns): Promise<Page> {
  const address = addressIn(at);
  const project = state.project();
  const showing = VIEWS[address.view](address, { state, signIns, project });
  const { key, main } = await showing.catch((error) => {
    if (!(error instanceof UnusableInput)) throw error;
    return told('This cannot be shown', error.message);
  });
  const { logins } = state;
  const list = address.view === 'logins' && <LoginList address={address} openId={key} logins={logins} />;
  return {
    key: `${address.view} ${key}`,
    top: String(<Top view={address.view} rows={logins.all().map(rowOf)} project={project} />),
    list: String(list || ''),
    main: String(main),
  };
}

type Around = { state: StudioState; signIns: SignIns; project: Project };

const VIEWS: Readonly<Record<Address['view'], (address: Address, around: Around) => Promise<View>>> = {
  paste: async () => ({ key: '', main: <PasteView /> }),

  async logins(address, { state, signIns, project }) {
    const { logins } = state;
    const first = openedFirst(logins.all(), address.query.get('outcome')) ?? openedFirst(logins.all(), null);
    const login = address.id === null ? first?.login : logins.get(address.id);
    if (!login) return nothingAt(state);
    logins.see(login);
    const detail = await detailOf(login, state);
    return {
      key: login.id,
      main: <LoginView detail={detail} project={project} claims={signIns.claimsOf(login)} />,
    };
  },

  async keep(address, { state }) {
    const login = state.logins.get(address.id ?? '');
    if (!login) return nothingAt(state);
    return { key: login.id, main: <KeepView id={login.id} name={nameFor(login)} /> };
  },

  async compare({ id, query }, { state, project }) {
    const fn = project.functions.find(({ name }) => name === id) ?? project.functions[0];
    if (!fn) throw new Error('expected a project with a function');
    const its = state.logins.all().filter(({ sample }) => sample.functionName === fn.name);
    const other = project.handlers.find((one) => one === query.get('with'));
    const comparison = other === undefined ? null : await comparisonOf(state.logins, its, other);
    const given = { project, fn, comparison, coverages: mappingCoverages(its) };
    return { key: `${fn.name} ${query.get('with')}`, main: <CompareView {...given} /> };
  },

  async 'sign-in'({ id, query }, { signIns }) {
    const result = id === null ? undefined : signIns.result(id);
    if (result) return { key: `result ${id}`, main: <NoLoginView result={result} /> };
    const registration = await signIns.registration(query.get('protocol'));
    const provider = query.get('provider') ?? '';
    return {
      key: registration.protocol,
      main: <SignInView provider={provider} registration={registration} />,
    };
  },
};

/** Before the first answers, and for a login that is gone. */
function nothingAt({ logins }: StudioState): View {
  if (!logins.isAnswered) return told('Login studio', 'Running the sample events …');
  const text =
    'Logins that are not stored last until npm start ends. Choose one of the list, sign in, or paste one.';
  return told('There is no such login', text);
}

function told(title: string, text: string): View {
  const main = (
    <div class="alone">
      <h1>{title}</h1>
      <p role="status">{text}</p>
    </div>
  );
  return { key: `told ${title}`, main };
}

/** Of no sample that is there, and without a text of the person. */
function nameFor({ answered: { reason }, sample: { functionName, event } }: Login): string {
  return proposedName({ functionName, issuer: issuerOf(eventInside(event)), reason });
}
