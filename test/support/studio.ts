/** `npm start` in a copy of the project, so that tests change handlers and samples as they like. */
import type { Page } from '../../tools/studio/page.tsx';
import { runCommand } from './commands.ts';
import { commandEnvironment } from './environment.ts';
import { freePort } from './freePort.ts';
import { inkOf } from './person.ts';
import { projectCopy } from './projectCopy.ts';

/** As `npm start` prints it. */
export const STUDIO_ADDRESS = /http:\/\/localhost:\d+\/#token=\S+/;
const READY = /Send a login/;

export type Studio = Awaited<ReturnType<typeof startStudio>>;

export async function freePorts() {
  return { http: await freePort(), lambda: await freePort(), studio: await freePort() };
}

export function portOptions(ports: Awaited<ReturnType<typeof freePorts>>): string[] {
  return Object.entries(ports).flatMap(([name, port]) => [`--${name}-port`, String(port)]);
}

export interface StudioOptions {
  /** The only sample events, e.g. `samlLoggedIn/keycloak`; default: all. */
  samples?: readonly string[];
  settings?: Record<string, string>;
}

/** Resolves when the address is printed. @param files what is added to the copy, by path */
export async function startStudio(
  files: Record<string, string> = {},
  { samples, settings }: StudioOptions = {},
) {
  const { folder, write, remove } = await projectCopy(files, samples);
  const ports = await freePorts();
  const env = commandEnvironment({
    HOME: folder,
    LOGIN_HOOKS_ENV_FOLDER: folder,
    AWS_EC2_METADATA_DISABLED: 'true',
    ...settings,
  });
  const command = runCommand(['tools/cli/bin.cjs', 'start', ...portOptions(ports)], { cwd: folder, env });
  const close = async () => {
    await command.end();
    await remove();
  };
  const [address] = await command.printed(STUDIO_ADDRESS).catch(async (error) => {
    await close();
    throw error;
  });
  return {
    ...requests(address, ports.http),
    ...{ ports, folder, command, write, close },
    /** As it is printed, with the token. */
    address,
    /** Resolves when all samples are answered. */
    ready: async () => void (await command.printed(READY)),
  };
}

interface SentForm {
  status: number;
  go?: string;
  open?: string;
  html?: string;
  message?: string;
}

/** @param address as `npm start` prints it */
export function requests(address: string, httpPort: number) {
  const { origin, hash } = new URL(address);
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  /** A request with the token, unless the headers have another. */
  const api = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
  /** What the page shows at an address, e.g. `#/compare`. */
  const page = async (at: string): Promise<Page> =>
    firstLine(await api(`/api/page?${new URLSearchParams({ at })}`));
  return {
    origin,
    token,
    api,
    page,
    logins: async () => loginsIn((await page('#/logins')).list),
    /** Sends a form of the page. @returns what it is answered with */
    async send(action: string, fields: Readonly<Record<string, string>> = {}): Promise<SentForm> {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      const response = await api(`/api/${action}`, { method: 'POST', body });
      return { status: response.status, ...((await response.json()) as Omit<SentForm, 'status'>) };
    },
    /** Sends a login to the port that takes them. @returns its status */
    async login(path: '/openid' | '/saml', event: unknown) {
      const { status } = await fetch(`http://127.0.0.1:${httpPort}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(event),
      });
      return status;
    },
  };
}

/** What a stream of lines begins with. The rest is not read. */
async function firstLine<TLine>({ body }: Response): Promise<TLine> {
  let text = '';
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.includes('\n')) return JSON.parse(text.slice(0, text.indexOf('\n'))) as TLine;
  }
  throw new Error(`the stream ended with ${text}`);
}

const ROW =
  /<a id="row-[^"]*"[^>]* data-id="([^"]*)".*?class="name">(.*?)<\/span>.*?class="what[^>]*>(.*?)<\/span>/g;

/** The logins as the list of the page has them. */
function loginsIn(list: string) {
  return Array.from(list.matchAll(ROW), ([, id = '', title = '', fact = '']) => ({
    id: inkOf(id),
    title: inkOf(title),
    fact: inkOf(fact),
  }));
}

export type ShownSignIn = Awaited<ReturnType<typeof signInAt>>;

/** What the page shows of a sign-in, where the provider led back to. */
export async function signInAt(studio: Pick<Studio, 'page'>, at: string) {
  const { main } = await studio.page(at);
  const [, login = null] = /^#\/logins\/(.+)$/.exec(at) ?? [];
  const found = main.matchAll(/<li data-code="([^"]*)" data-level="([^"]*)"/g);
  return {
    /** The id of the login; null where there is none. */
    login,
    reason: / data-reason="([^"]*)"/.exec(main)?.[1] ?? '',
    heading: inkOf(/<h1[^>]*>(.*?)<\/h1>/s.exec(main)?.[1] ?? ''),
    refused: login === null ? refusalIn(main) : null,
    findings: Array.from(found, ([, code = '', level = '']) => ({ code, level })),
    text: inkOf(main),
  };
}

/** Why a sign-in did not begin, or failed. */
export function refusalIn(html: string) {
  const [, theirs] = /<blockquote>(.*?)<\/blockquote>/s.exec(html) ?? [];
  const [, ours = ''] = /<div class="fix">(.*?)<\/div>/s.exec(html) ?? [];
  return { theirs: theirs === undefined ? null : inkOf(theirs), ours: inkOf(ours) };
}
