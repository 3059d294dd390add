/** The pages lead somewhere: each link, file, command and event that they name is there. */
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join, matchesGlob } from 'node:path';
import { expect, test } from '@jest/globals';
import * as sdk from '../../lib/sdk.ts';
import { labelOf, sampleEvents } from '../../tools/local/events.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { codeIn, PAGES, tableRows, textOf } from '../support/pages.ts';
import { listedEvents, projectSamples } from '../support/projectSamples.ts';

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

test.each(PAGES)('%s has no link that leads nowhere', async (page) => {
  const targets = Array.from((await textOf(page)).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g));
  for (const [link, path = '', anchor] of targets) {
    const file = path === '' ? page : join(dirname(page), path);
    expect({ link, exists: existsSync(join(PROJECT, file)) }).toEqual({ link, exists: true });
    if (anchor === undefined) continue;
    expect(anchorsOf(await textOf(file))).toContain(anchor);
  }
});

test('every page of the guide is listed in the README', async () => {
  const readme = await textOf('README.md');
  for (const page of PAGES.filter((file) => file.startsWith('docs/'))) expect(readme).toContain(`](${page})`);
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

test('every command of the project is in the table of commands, and no page names another', async () => {
  const { scripts } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'));
  const listed = tableRows(await textOf('docs/commands.md')).flatMap(([command]) => scriptsIn(command));
  expect(listed.sort()).toEqual(Object.keys(scripts).sort());
  for (const page of GUIDE) {
    for (const script of scriptsIn(await textOf(page))) expect(scripts).toHaveProperty([script]);
  }
});

function scriptsIn(text = ''): string[] {
  const commands = text.matchAll(/npm (?:run (?:-s )?([a-z][\w:-]*)|(start|test)\b)/g);
  return Array.from(commands, ([, script, own]) => script ?? own ?? '');
}

test('the guide to handlers names all that login-hooks exports', async () => {
  const names = tableRows(await textOf('docs/handlers.md')).flatMap(([cell]) => codeIn(cell));
  const listed = names.map((name) => name.replace(/\(.*/, ''));
  expect(listed).toEqual(expect.arrayContaining(Object.keys(sdk)));
});

test('the tables of events/README.md have the samples that login-hooks ships, and no other', async () => {
  const listed = await listedEvents();
  const labels = (await projectSamples()).map(labelOf);
  expect(labels.length).toBeGreaterThan(50);
  const isListed = (label: string) => listed.some((pattern) => matchesGlob(label, pattern));
  expect((await sampleEvents()).map(labelOf).filter(isListed)).toEqual(labels);
  expect(listed.filter((pattern) => !labels.some((label) => matchesGlob(label, pattern)))).toEqual([]);
});
