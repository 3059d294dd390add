/** `npm start` in a copy of the project, so that tests change handlers and samples as they like. */
import type { Changed, LoginDetail, LoginRow } from '../../tools/studio/api.ts';
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
  /** The list, as the page gets it at first. */
  logins(): Promise<LoginRow[]>;
  detail(id: string): Promise<LoginDetail>;
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
export async function startProject(
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

/** @param address as `npm start` prints it */
export function requests(address: string, httpPort: number) {
  const { origin, hash } = new URL(address);
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  const api = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
  return {
    origin,
    token,
    api,
    logins: async () => (await firstChange(await api('/api/changes'))).logins,
    project: async () => (await firstChange(await api('/api/changes'))).project,
    detail: async (id: string) =>
      (await (await api(`/api/logins/${encodeURIComponent(id)}`)).json()) as LoginDetail,
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

/** What a stream of server-sent events begins with. */
async function firstChange({ body }: Response): Promise<Changed> {
  let text = '';
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    const [, data] = /^data: ?(.+)$/m.exec(text.slice(0, text.lastIndexOf('\n\n') + 1)) ?? [];
    if (data !== undefined) return JSON.parse(data) as Changed;
  }
  throw new Error(`the stream ended with ${text}`);
}
