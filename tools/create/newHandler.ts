/** The files of a new handler: its source, and events with the responses that it gives to them. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { KINDS } from '../../lib/kinds.ts';
import { expectOneOf, UnusableInput } from '../shared/commandLine.ts';
import { givenOrAsked } from './ask.ts';
import { type Given, STARTERS, type Starter } from './starters.ts';
import { type NewFiles, writeNew } from './writeNew.ts';

export interface NewHandler {
  /** `openid` or `saml`. */
  kind: string;
  /** Of its file, without extension. */
  name: string;
  provider: string;
  given: Given;
}

const PROVIDERS = [...new Set(Object.values(STARTERS).flatMap((starters) => Object.keys(starters)))];

/** How a command line says which provider a handler is for. */
export const PROVIDER_OPTIONS = {
  provider: {
    type: 'string',
    value: '<provider>',
    choices: PROVIDERS,
    about: `the identity provider: ${PROVIDERS.join(', ')}`,
  },
  issuer: { type: 'string', value: '<url>', about: 'the issuer of the provider, as an event has it' },
  domain: {
    type: 'string',
    value: '<domain>',
    about: 'of the addresses of those who may log in, e.g. example.edu',
  },
} as const;

const NAME = /^[a-z\d]+(?:-[a-z\d]+)*$/;
const BIN = join(import.meta.dirname, '..', 'cli', 'bin.cjs');
/** Of a URI (RFC 3986 appendix A), without the quotation mark that would end it in the source of a handler. */
const URI = /^[a-z][a-z\d+.-]*:[\w:/?#[\]@!$&()*+,;=.~%-]+$/i;

const DOMAIN = /^[a-z\d-]+(?:\.[a-z\d-]+)+$/;

/** @throws {UnusableInput} for a provider that does not have this kind of login */
export function starterOf(kind: string, provider: string): Starter {
  const starters = STARTERS[kind] ?? {};
  expectOneOf('--provider', provider, Object.keys(starters));
  return starters[provider] as Starter;
}

/** Of the command line, or asked for. @throws {UnusableInput} for what is no issuer of this provider, or no domain */
export async function givenFor(
  { issuer, example }: Starter,
  options: { issuer?: string | undefined; domain?: string | undefined },
): Promise<Given> {
  const isIssuer = (text: string) => {
    if (!URI.test(text) || !issuer.test(text))
      throw new UnusableInput(`--issuer: expected an issuer like ${example.url}, found ${text}`);
  };
  const isDomain = (text: string) => {
    if (!DOMAIN.test(text))
      throw new UnusableInput(`--domain: expected a domain like ${example.domain}, found ${text}`);
  };
  const url = await givenOrAsked('issuer', options.issuer, `the issuer, like ${example.url}`, isIssuer);
  const question = `the domain of the addresses of those who may log in, like ${example.domain}`;
  const domain =
    example.domain === undefined ? '' : await givenOrAsked('domain', options.domain, question, isDomain);
  return { url, part: issuer.exec(url)?.[1] ?? '', domain };
}

/** The function that logins of a kind go to, e.g. `openidLoggedIn` for `openid`. */
export function functionNameOf(kind: string): string {
  return Object.values(KINDS).find(({ word }) => word === kind)?.functionName ?? '';
}

/** @throws {UnusableInput} */
export async function handlerFiles({ kind, name, provider, given }: NewHandler): Promise<NewFiles> {
  if (!NAME.test(name))
    throw new UnusableInput(`${name}: expected a name of lower-case letters, digits and hyphens`);
  const starter = starterOf(kind, provider);
  const handler = `handlers/${name}`;
  const files: Record<string, string> = { [`${handler}.ts`]: sourceOf(kind, starter, given) };
  for (const [login, event] of Object.entries(starter.logins(given))) {
    const path = `events/${functionNameOf(kind)}/${name}-${login}`;
    files[`${path}.json`] = json(event);
    files[`${path}.expected.json`] = json({ handler, status: 200, answer: { type: 'ErrorResponse' } });
  }
  return withResponses(files, { kind, handler, settings: starter.settings });
}

/** Has the handler respond to its events, in a folder that is gone afterwards: so the expected responses are the true ones. */
async function withResponses(
  files: NewFiles,
  { kind, handler, settings }: { kind: string; handler: string; settings: Starter['settings'] },
): Promise<NewFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'login-hooks-new-'));
  try {
    await writeNew(folder, {
      ...files,
      'serverless.yml': `custom: {loginHooks: {${kind}: ${handler}}}\n`,
    });
    const args = ['check', '--update', '--only', kind, '--handler', handler];
    const env = { ...process.env, ...settings };
    await promisify(execFile)(process.execPath, [BIN, ...args], { cwd: folder, env });
    const read = Object.keys(files).map(async (file) => [file, await readFile(join(folder, file), 'utf8')]);
    return Object.fromEntries(await Promise.all(read));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** As a file of settings has them. */
export function settingsText({ settings = {} }: Starter): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** The source of a handler, as a person would write it. */
export function sourceOf(kind: string, starter: Starter, given: Given): string {
  const map = kind === 'saml' ? 'mapSamlLogin' : 'mapOpenIdLogin';
  const lines = Object.entries(starter.mapping(given)).map(
    ([key, value]) => `  ${key}: ${literal(value, '  ')},\n`,
  );
  return `import { ${map} } from 'login-hooks';\n\nexport default ${map}({\n${lines.join('')}});\n`;
}

/** In characters. */
const LINE = 106;

/** @param indent of the line that it begins in */
function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(
        ([key, item]) => `${/^\w+$/.test(key) ? key : `'${key}'`}: ${literal(item, inner)}`,
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const space = isList || parts.length === 0 ? '' : ' ';
  const line = `${open}${space}${parts.join(', ')}${space}${close}`;
  if (line.length + inner.length <= LINE && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
