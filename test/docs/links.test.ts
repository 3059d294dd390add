/** The pages lead somewhere: each link, file, command and event that they name is there. */
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join, matchesGlob } from 'node:path';
import { expect, test } from '@jest/globals';
import { labelOf, sampleEvents } from '../../tools/local/events.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { runCommand } from '../support/commands.ts';
import { codeIn, PACKED_PAGES, PAGES, tableRows, textOf } from '../support/pages.ts';
import { listedEvents, projectSamples } from '../support/projectSamples.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** As a page of Markdown names its headings: in lower case, with hyphens for spaces and nothing for other signs. */
function anchorsOf(text: string): string[] {
  const headings = Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

interface Link {
  link: string;
  file: string;
  anchor: string | undefined;
}

async function linksOf(page: string): Promise<Link[]> {
  const targets = (await textOf(page)).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g);
  return Array.from(targets, ([link, path = '', anchor]) => {
    return { link, file: path === '' ? page : join(dirname(page), path), anchor };
  });
}

test.each(PAGES)('%s has no link that leads nowhere', async (page) => {
  for (const { link, file, anchor } of await linksOf(page)) {
    expect({ link, exists: existsSync(join(PROJECT, file)) }).toEqual({ link, exists: true });
    if (anchor !== undefined) expect(anchorsOf(await textOf(file))).toContain(anchor);
  }
});

test.each(PACKED_PAGES)('%s has no link that leads out of the package', async (page) => {
  const files = (await linksOf(page)).map(({ file }) => file);
  expect(files.filter((file) => !PACKED_PAGES.includes(file) && file !== 'docs/studio.png')).toEqual([]);
});

test('every page of the package is reached from the README', async () => {
  const reached = new Set(['README.md']);
  for (const page of reached) {
    for (const { file } of await linksOf(page)) if (file.endsWith('.md')) reached.add(file);
  }
  expect([...reached].sort()).toEqual(PACKED_PAGES.toSorted());
});

test('every page and section that the code names is there', async () => {
  const files = await Array.fromAsync(glob(['lib/**/*.ts', 'tools/**/*.{ts,tsx}'], { cwd: PROJECT }));
  const sources = await Promise.all(files.map(textOf));
  const named = sources.flatMap((source) => [...source.matchAll(/(docs\/[\w/-]+\.md)(?:, "([^"]+)")?/g)]);
  expect(named.length).toBeGreaterThan(20);
  for (const [, page = '', heading] of named) {
    expect(PAGES).toContain(page);
    if (heading !== undefined) expect(await textOf(page)).toContain(`## ${heading}\n`);
  }
});

/** The CHANGELOG names files of earlier versions. */
const GUIDE = PAGES.filter((page) => page !== 'CHANGELOG.md');
const PATH = /(?<![\w./-])(?:docs|events|functions|handlers|lib|test|tools)\/[\w./*{}<>-]+/g;
/** A reader's own file, which the guide says to make. */
const OWN = /^handlers\/(?:my-|keycloak$)/;

test.each(GUIDE)('%s names no file that is not there', async (page) => {
  const paths = Array.from((await textOf(page)).matchAll(PATH), ([path]) => path.replace(/[.*]$/, ''));
  const missing: string[] = [];
  for (const path of paths.filter((path) => !OWN.test(path))) {
    // A handler or an event goes without its extension, and `<function>` stands for either.
    const pattern = `${path.replaceAll(/<\w+>/g, '*')}{,.*}`;
    const found = await Array.fromAsync(glob(pattern, { cwd: PROJECT }));
    if (found.length === 0) missing.push(path);
  }
  expect(missing).toEqual([]);
});

/** What stands behind `npx login-hooks`, in a command or in a table of them. */
function commandsIn(text: string): string[] {
  return Array.from(text.matchAll(/npx login-hooks ([a-z][\w-]*)/g), ([, command = '']) => command);
}

function scriptsIn(text: string): string[] {
  return Array.from(text.matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g), ([, script = '']) => script);
}

const folder = temporaryFolder();
const BIN = join(PROJECT, 'tools', 'cli', 'bin.cjs');
const { scripts } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'));
const ROWS = tableRows(await textOf('docs/commands.md'));
const COMMANDS = ROWS.flatMap(([cell = '']) => commandsIn(cell));

test('the commands of a project are in the table of commands, and no page names another', async () => {
  // In the folder of an operator: in this one, `test` is no command.
  const { stdout } = await runCommand([BIN, '--help'], { cwd: folder }).end(0);
  const names = Array.from(stdout.matchAll(/^ {2}([\w-]+) /gm), ([, name = '']) => name);
  expect(COMMANDS.toSorted()).toEqual(names.sort());
  for (const page of PAGES) expect(COMMANDS).toEqual(expect.arrayContaining(commandsIn(await textOf(page))));
});

test.each(COMMANDS)('the table has each option of %s', async (name) => {
  const file = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const { COMMAND } = await import(`../../tools/cli/${file}.ts`);
  const row = ROWS.find(([cell = '']) => commandsIn(cell).includes(name)) ?? [];
  expect(codeIn(row[2]).sort()).toEqual(
    Object.keys(COMMAND.options)
      .map((option) => `--${option}`)
      .sort(),
  );
});

test('the other scripts of the repository are in the table of its maintainers, and no page names another', async () => {
  const listed = tableRows(await textOf('docs/maintainers/quality.md')).flatMap(([cell = '']) =>
    scriptsIn(cell),
  );
  const own = Object.keys(scripts).filter((script) => !['test', ...COMMANDS].includes(script));
  expect(listed.sort()).toEqual(own.sort());
  for (const page of GUIDE) {
    for (const script of scriptsIn(await textOf(page))) expect(scripts).toHaveProperty([script]);
  }
});

test('a page of the package names no script of the repository, but the one that makes the package', async () => {
  const texts = await Promise.all(PACKED_PAGES.map(textOf));
  expect([...new Set(texts.flatMap(scriptsIn))]).toEqual(['pack']);
});

test('the tables of events/README.md have the samples that login-hooks ships, and no other', async () => {
  const listed = await listedEvents();
  const labels = (await projectSamples()).map(labelOf);
  expect(labels.length).toBeGreaterThan(50);
  const isListed = (label: string) => listed.some((pattern) => matchesGlob(label, pattern));
  expect((await sampleEvents()).map(labelOf).filter(isListed)).toEqual(labels);
  expect(listed.filter((pattern) => !labels.some((label) => matchesGlob(label, pattern)))).toEqual([]);
});
