/** The code on the pages: it compiles, it loads, and each command prints what the page shows. */
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { type GenericSchema, parse } from 'valibot';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { responseSchema } from '../../lib/profile/response.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { commandEnvironment } from '../support/environment.ts';
import { type Block, blocksOf, PAGES } from '../support/pages.ts';
import { sampleEvent } from '../support/projectSamples.ts';

const run = promisify(execFile);

const BLOCKS = (await Promise.all(PAGES.map(blocksOf))).flat();
const CODE = BLOCKS.filter(({ language }) => language === 'ts');
const JSON_BLOCKS = BLOCKS.filter(({ language }) => language === 'json');
const HANDLERS = CODE.filter(({ text }) => text.includes('export default'));
const RESPONSES = JSON_BLOCKS.filter(({ above }) => /responds to [^\n]*:\n\n$/.test(above));
const EVENTS = JSON_BLOCKS.filter(({ text }) => /^\{\s*"(?:idToken|assertion)"/.test(text));
const COMMANDS = BLOCKS.filter(({ command, language }) => command !== null && language === 'text');

/** Under the project, where `login-hooks` and the packages are found. */
const SOURCES = join(PROJECT, '.build', 'docs-code');
beforeAll(async () => {
  await rm(SOURCES, { recursive: true, force: true });
  await mkdir(SOURCES, { recursive: true });
  const files = Object.entries({ ...sources(), 'tsconfig.json': tsconfig() });
  await Promise.all(files.map(([file, text]) => writeFile(join(SOURCES, file), text)));
});

/** Each block as a file, in which each line has the number that it has on its page. */
function sources(): Record<string, string> {
  const entries = CODE.map((block) => [fileOf(block), '\n'.repeat(lineOf(block) - 1) + block.text]);
  return Object.fromEntries(entries);
}

function fileOf({ place }: Block): string {
  return `${place.replaceAll(/[/:]/g, '-')}.ts`;
}

function lineOf({ place }: Block): number {
  return Number(place.split(':')[1]);
}

function tsconfig(): string {
  return JSON.stringify({ extends: '../../tsconfig.json', include: [], files: Object.keys(sources()) });
}

async function handlerIn(block: Block) {
  const { default: handler } = await import(join(SOURCES, fileOf(block)));
  return handler;
}

function titled(blocks: Block[]): [string, Block][] {
  return blocks.map((block) => [block.place, block]);
}

test('every block of TypeScript compiles as a file of its own', async () => {
  const tsc = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout } = await run(process.execPath, [tsc, '--project', SOURCES]).catch((error) => error);
  expect(stdout).toBe('');
});

test.each(titled(JSON_BLOCKS))('%s is JSON', (_, { text }) => {
  expect(() => JSON.parse(text)).not.toThrow();
});

test.each(titled(HANDLERS))('%s is a handler that loads', async (_, block) => {
  expect(await handlerIn(block)).toHaveLength(1);
});

test.each(titled(EVENTS))('%s is a part of the sample event that the page names', async (_, block) => {
  const { event } = await sampleNamedLast(block.above);
  expect(event).toEqual(containing(JSON.parse(block.text)));
});

/** The event whose file is named last in a text. */
async function sampleNamedLast(text: string) {
  const [, functionName = '', name = ''] = text.match(/.*events\/(\w+)\/([\w-]+)\.json/s) ?? [];
  const model = functionName === 'samlLoggedIn' ? SamlUserLoggedInEvent : OpenIdUserLoggedInEvent;
  return { model, event: await sampleEvent(functionName, name) };
}

/** Matches what has these fields and items, and maybe others. */
function containing(part: unknown): unknown {
  if (Array.isArray(part)) return expect.arrayContaining(part.map(containing));
  if (typeof part !== 'object' || part === null) return part;
  const fields = Object.entries(part).map(([key, value]) => [key, containing(value)]);
  return expect.objectContaining(Object.fromEntries(fields));
}

test.each(titled(RESPONSES))('%s is the response of the handler above it to that event', async (_, block) => {
  const shown = HANDLERS.findLast(({ above }) => block.above.startsWith(above));
  if (!shown) throw new Error(`${block.place}: no handler above it`);
  const handler = await handlerIn(shown);
  const { model, event } = await sampleNamedLast(block.above);
  const response = await handler(parse<GenericSchema>(model, event));
  expect(parse(responseSchema([]), response)).toEqual(JSON.parse(block.text));
});

test.each(titled(COMMANDS))('%s is what the command above it prints', async (_, { command, text }) => {
  const here = command?.replace('npx login-hooks', 'node tools/cli/bin.cjs') ?? '';
  const { stdout } = await run('sh', ['-c', here], { cwd: PROJECT, env: commandEnvironment() });
  expect(stdout).toBe(text);
});
