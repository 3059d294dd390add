/** What a strict Content-Security-Policy demands of the page, and what keeps the texts of a login from becoming HTML. */
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../../tools/shared/project.ts';
import { bundlePage, type PageFiles } from '../../../tools/studio/pageBundle.ts';

const PAGE = join(PROJECT, 'tools/studio/page');
const sources = await Array.fromAsync(glob('**/*.{ts,tsx}', { cwd: PAGE }));

describe('the bundle', () => {
  let files: PageFiles;
  beforeAll(async () => {
    files = await bundlePage();
  });

  test('its HTML has no script and no style inside', () => {
    expect(files['index.html']).toContain('<script type="module" src="/studio.js"></script>');
    expect(files['index.html']).not.toMatch(/<style|style=|<script[^>]*>[^<]|\son\w+=/);
  });

  test('its script makes no code of texts', () => {
    expect(files['studio.js'].length).toBeGreaterThan(10_000);
    expect(files['studio.js']).not.toMatch(/\beval\(|new Function\b|\bimport\(/);
  });

  test('its style loads nothing from elsewhere', () => {
    expect(files['studio.css'].length).toBeGreaterThan(1_000);
    expect(files['studio.css']).not.toMatch(/url\(|@import/);
  });

  test('it is small', () => {
    expect(files['studio.js'].length + files['studio.css'].length).toBeLessThan(100_000);
  });
});

test.each(sources)('%s shows texts as text, and sets no style', async (file) => {
  const source = await readFile(join(PAGE, file), 'utf8');
  expect(source).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|srcdoc|document\.write|\bstyle=/i);
});
