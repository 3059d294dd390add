/** `npm start` in a copy of the project, so that tests change handlers and samples as they like. */
import type { Page } from '../../tools/studio/page.tsx';
import { type RunningCommand, runCommand } from './commands.ts';
import { commandEnvironment } from './environment.ts';
import { freePort } from './freePort.ts';
import { projectCopy } from './projectCopy.ts';

/** As `npm start` prints it. */
export const STUDIO_ADDRESS = /http:\/\/localhost:\d+\/#token=\S+/;
const READY = /Send a login/;

export interface Studio {
  /** As it is printed, with the token. */
  address: string;
  /** When it was printed, as `performance.now()` has it. */
  addressAt: number;
  /** Without a path. */
  origin: string;
  token: string;
  ports: { http: number; lambda: number; studio: number };
  /** The copy of the project. */
  folder: string;
  command: RunningCommand;
  /** A request with the token, unless the headers have another. */
  api(path: string, init?: RequestInit): Promise<Response>;
  /** What the page shows at an address, e.g. `#/compare`. */
  page(at: string): Promise<Page>;
  /** The list. */
  logins(): Promise<ListedLogin[]>;
  /** Sends a form of the page. @returns what it is answered with */
  send(action: string, fields?: Readonly<Record<string, string>>): Promise<SentForm>;
  /** Sends a login to the port that takes them. @returns its status */
  login(path: '/openid' | '/saml', event: unknown): Promise<number>;
  write(file: string, content: string): Promise<void>;
  /** Resolves when all samples are answered. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export async function freePorts(): Promise<Studio['ports']> {
  return { http: await freePort(), lambda: await freePort(), studio: await freePort() };
}

export function portOptions(ports: Studio['ports']): string[] {
  return Object.entries(ports).flatMap(([name, port]) => [`--${name}-port`, String(port)]);
}

interface StudioOptions {
  /** The only sample events, e.g. `samlLoggedIn/keycloak`; default: all. */
  samples?: readonly string[];
  settings?: Record<string, string>;
  /** Whether it ends with its whole process group, as by Ctrl-C. */
  isGroup?: boolean;
}

/** Resolves before anything is printed. @param files what is added to the copy, by path */
async function startProject(
  files: Record<string, string> = {},
  { samples, settings, isGroup = false }: StudioOptions = {},
): Promise<Pick<Studio, 'ports' | 'folder' | 'command' | 'write' | 'close'>> {
  const { folder, write, remove } = await projectCopy(files, samples);
  const ports = await freePorts();
  const env = commandEnvironment({
    HOME: folder,
    LOGIN_HOOKS_ENV_FOLDER: folder,
    AWS_EC2_METADATA_DISABLED: 'true',
    ...settings,
  });
  const args = ['tools/cli/bin.cjs', 'start', ...portOptions(ports)];
  const command = runCommand(args, { cwd: folder, env, isGroup });
  const close = async () => {
    await command.end();
    await remove();
  };
  return { ports, folder, command, write, close };
}

/** Resolves when all samples are answered. */
export async function startStudio(
  files: Record<string, string> = {},
  options: StudioOptions = {},
): Promise<Studio> {
  const project = await startProject(files, options);
  const { command, ports, close } = project;
  const [address] = await command.printed(STUDIO_ADDRESS).catch(async (error) => {
    await close();
    throw error;
  });
  const addressAt = performance.now();
  const ready = async () => void (await command.printed(READY));
  return {
    ...requests(address, ports.http),
    ...project,
    address,
    addressAt,
    ready,
  };
}

/** A login as the list of the page has it. */
export interface ListedLogin {
  id: string;
  title: string;
  fact: string;
}

export interface SentForm {
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
  const api = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
  const page = async (at: string): Promise<Page> =>
    firstLine(await api(`/api/page?${new URLSearchParams({ at })}`));
  return {
    origin,
    token,
    api,
    page,
    logins: async () => loginsIn((await page('#/logins')).list),
    async send(action: string, fields: Readonly<Record<string, string>> = {}): Promise<SentForm> {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      const response = await api(`/api/${action}`, { method: 'POST', body });
      return { status: response.status, ...((await response.json()) as Omit<SentForm, 'status'>) };
    },
    async login(path: string, event: unknown) {
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

function loginsIn(list: string): ListedLogin[] {
  return Array.from(list.matchAll(ROW), ([, id = '', title = '', fact = '']) => ({
    id: inkOf(id),
    title: inkOf(title),
    fact: inkOf(fact),
  }));
}

/** What the page shows of a sign-in, where the provider led back to. */
export interface ShownSignIn {
  /** The id of the login; null where there is none. */
  login: string | null;
  reason: string;
  heading: string;
  refused: { theirs: string | null; ours: string } | null;
  findings: { code: string; level: string }[];
  /** All that is shown. */
  text: string;
}

export async function signInAt(studio: Pick<Studio, 'page'>, at: string): Promise<ShownSignIn> {
  const { main } = await studio.page(at);
  const [, login = null] = /^#\/logins\/(.+)$/.exec(at) ?? [];
  const found = main.matchAll(/<li data-code="([^"]*)" data-level="([^"]*)"/g);
  return {
    login,
    reason: / data-reason="([^"]*)"/.exec(main)?.[1] ?? '',
    heading: inkOf(/<h1[^>]*>(.*?)<\/h1>/s.exec(main)?.[1] ?? ''),
    refused: login === null ? refusalIn(main) : null,
    findings: Array.from(found, ([, code = '', level = '']) => ({ code, level })),
    text: inkOf(main),
  };
}

/** Why a sign-in did not begin, or failed. */
export function refusalIn(html: string): { theirs: string | null; ours: string } {
  const [, theirs] = /<blockquote>(.*?)<\/blockquote>/s.exec(html) ?? [];
  const [, ours = ''] = /<div class="fix">(.*?)<\/div>/s.exec(html) ?? [];
  return { theirs: theirs === undefined ? null : inkOf(theirs), ours: inkOf(ours) };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** The text of HTML. */
export function inkOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (one) => ENTITIES[one] ?? one);
}
