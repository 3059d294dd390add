/** The files of a new handler: its source, and events with the responses that it gives to them. */
import { isAscii } from 'node:buffer';
import { execFile } from 'node:child_process';
import { glob, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expectOneOf, UnusableInput } from '../shared/commandLine.ts';
import { PACKAGE } from '../shared/project.ts';
import { givenOrAsked } from './ask.ts';
import { type Given, loginsOf, STARTERS, type Starter, withGiven } from './starters.ts';
import type { NewFiles } from './writeNew.ts';

export interface NewHandler {
  /** `openid` or `saml`, the word of the kind. */
  kind: string;
  /** Its name is that of the handler's file. */
  provider: string;
  starter: Starter;
  given: Given;
}

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
  const like = (option: string, patterns: readonly RegExp[], one: string) => (text: string) => {
    if (patterns.every((pattern) => pattern.test(text))) return;
    const hint = isAscii(Buffer.from(text)) ? '' : ', which is not ASCII: write xn--… for such a host';
    throw new UnusableInput(`--${option}: expected one like ${one}, found ${text}${hint}`);
  };
  const isIssuer = like('issuer', [URI, issuer], example.url);
  const url = await givenOrAsked('issuer', options.issuer, `the issuer, like ${example.url}`, isIssuer);
  const { domain: own = '' } = example;
  if (own === '' && options.domain !== undefined)
    throw new UnusableInput('--domain: expected none, because these logins have no address');
  const question = `the domain of the addresses of those who may log in, like ${own}`;
  const isDomain = like('domain', [DOMAIN], own);
  const domain = own === '' ? '' : await givenOrAsked('domain', options.domain, question, isDomain);
  return { url, part: issuer.exec(url)?.[1] ?? '', domain };
}

/** The expected responses are not those of the handler yet. */
export async function handlerFiles(made: NewHandler): Promise<NewFiles> {
  const { kind, provider, starter, given } = made;
  const handler = `handlers/${provider}`;
  const files: Record<string, string> = { [`${handler}.ts`]: await sourceOf(kind, starter, given) };
  for (const [login, event] of Object.entries(await loginsOf(kind, starter, given))) {
    const path = `events/${kind}LoggedIn/${provider}-${login}`;
    files[`${path}.json`] = json(event);
    files[`${path}.expected.json`] = json({ handler, status: 200, answer: { type: 'ErrorResponse' } });
  }
  return files;
}

/** Has the handler of a new project respond to its events, and writes the responses as the expected ones. */
export async function expectResponses(cwd: string, { provider, starter }: NewHandler): Promise<void> {
  const args = [BIN, 'check', '--update', '--handler', `handlers/${provider}`];
  const env = { ...process.env, ...starter.settings };
  await promisify(execFile)(process.execPath, args, { cwd, env });
  await rm(join(cwd, '.build'), { recursive: true });
}

const GUIDE = join(PACKAGE, 'docs');
const CODE = /^```ts\n(.*?)^```$/gms;

/** The handler on the page of a provider, with what the operator says of theirs in the place of the example. */
export async function sourceOf(kind: string, starter: Starter, given: Given): Promise<string> {
  const { url } = starter.example;
  const maker = kind === 'saml' ? 'mapSamlLogin' : 'mapOpenIdLogin';
  const pages = await Array.fromAsync(glob(['providers.md', 'providers/*.md'], { cwd: GUIDE }), (page) =>
    readFile(join(GUIDE, page), 'utf8'),
  );
  const handlers = pages.flatMap((page) => Array.from(page.matchAll(CODE), ([, text = '']) => text));
  const shown = handlers.filter((text) => text.includes(`${maker}({`) && text.includes(`'${url}': {`));
  if (shown.length !== 1) throw new Error(`expected one handler for ${url} in ${GUIDE}`);
  return withGiven(shown.join(''), starter, given);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
