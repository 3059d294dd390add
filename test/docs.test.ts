/** The documents: each link leads to a file and a heading that are there. */
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../tools/build.ts';

const PAGES = await Array.fromAsync(glob(['*.md', 'docs/*.md', 'events/*.md'], { cwd: PROJECT }));

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
  const text = await readFile(join(PROJECT, page), 'utf8');
  const targets = Array.from(text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g));
  for (const [link, path = '', anchor] of targets) {
    const file = path === '' ? page : join(dirname(page), path);
    expect({ link, exists: existsSync(join(PROJECT, file)) }).toEqual({ link, exists: true });
    if (anchor === undefined) continue;
    expect(anchorsOf(await readFile(join(PROJECT, file), 'utf8'))).toContain(anchor);
  }
});

test('every page of the guide is listed in the README', async () => {
  const readme = await readFile(join(PROJECT, 'README.md'), 'utf8');
  for (const page of PAGES.filter((file) => file.startsWith('docs/'))) expect(readme).toContain(`](${page})`);
});
