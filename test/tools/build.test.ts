/** What the build makes: what is loaded at cold start, and what is not. */
import { execFileSync } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Metafile } from 'esbuild';
import { build, DIST } from '../../tools/bundle/build.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { login } from '../support/bundle.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { samlEvent } from '../support/wire.ts';
import { withHandler } from '../support/withHandler.ts';

const MAX_COLD_START_BYTES = 104 * 1024;
const FUNCTIONS = ['openidLoggedIn', 'samlLoggedIn'];

let metafile: Metafile;
const folder = temporaryFolder(join(PROJECT, '.build-test-'));
beforeAll(async () => {
  metafile = await build({ outdir: folder });
});

/** The outputs that one loads at once, itself the first. @param name e.g. `functions/samlLoggedIn` */
function loadedAtOnce(name: string): string[] {
  const found = Object.keys(metafile.outputs).filter((output) => output.endsWith(`/${name}.mjs`));
  for (const file of found)
    for (const { path, kind, external } of metafile.outputs[file]?.imports ?? [])
      if (kind === 'import-statement' && !external && !found.includes(path)) found.push(path);
  return found;
}

const inputsOf = (file = '') => Object.keys(metafile.outputs[file]?.inputs ?? {});
/** The packages that files are of. */
const librariesIn = (inputs: readonly string[]) =>
  new Set(inputs.flatMap((input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []));

describe.each(FUNCTIONS)('%s', (name) => {
  test('loads less than 104 KB at cold start, in two files', async () => {
    const files = loadedAtOnce(`functions/${name}`);
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(PROJECT, file))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_COLD_START_BYTES);
    expect(files).toHaveLength(2);
  });

  test('reaches no heavy library but by a dynamic import', () => {
    const inputs = loadedAtOnce(`functions/${name}`).flatMap(inputsOf);
    const expected = [
      '@middy/core',
      '@middy/http-json-body-parser',
      '@middy/util',
      'fastest-levenshtein',
      'valibot',
    ];
    expect([...librariesIn(inputs)].sort()).toEqual(expected);
    // Look-ups, secrets, keys and checks are loaded on first use.
    const outside = inputs.filter((input) => /^lib\/(?:toolkit|webhook)\//.test(input));
    expect(outside.sort()).toEqual(['lib/toolkit/url.ts']);
  });

  test('loads neither undici nor anything that speaks HTTP', () => {
    expect(heavyBuiltins(name, {})).toBe('');
  });
});

/** The built-ins among what a function has loaded before its first login that take long to load. */
function heavyBuiltins(name: string, env: Record<string, string>): string {
  const script = `await import(${JSON.stringify(join(DIST, 'functions', `${name}.mjs`))});
    console.log(process.moduleLoadList.filter((module) => /undici|http|tls|readline|zlib/.test(module)).join());`;
  const args = ['--input-type=module', '-e', script];
  const [record, loaded] = execFileSync(process.execPath, args, { env, encoding: 'utf8' }).split('\n');
  expect(record).toContain('"cold_start"');
  return loaded ?? '';
}

const ISSUERS = JSON.stringify({ 'https://idp.example.org': { audiences: ['client'] } });
test.each([
  ['openidLoggedIn', { OPENID_TOKEN_CHECK: 'on', OPENID_ISSUERS: ISSUERS }, 'undici'],
  ['samlLoggedIn', { CALLER_CHECK: 'signature', SIGNING_SECRET_ID: 'signing' }, 'https'],
])('%s loads before its first login what a check of each login needs: %j', (name, env, needed) => {
  expect(heavyBuiltins(name, env)).toContain(needed);
});

test('a handler that only maps loads two files in addition to those of the functions: its own, and one for login-hooks', () => {
  const [handler, ...others] = loadedAtOnce('handlers/orcid-email');
  expect(handler).toMatch(/orcid-email\.mjs$/);
  const functions = loadedAtOnce('functions/openidLoggedIn');
  const [sdk, ...more] = others.filter((file) => !functions.includes(file));
  expect(more).toEqual([]);
  const inputs = inputsOf(sdk);
  // Nothing of look-ups, secrets and their libraries.
  expect(inputs).toContain('lib/sdk.ts');
  expect(inputs.filter((input) => /^(?:lib\/toolkit|node_modules)\//.test(input))).toEqual([]);
});

test('what is ours is minified; an operator’s handler stays readable', async () => {
  const files = loadedAtOnce('functions/openidLoggedIn');
  const text = (await Promise.all(files.map((file) => readFile(join(PROJECT, file), 'utf8')))).join('');
  expect(text.length / text.split('\n').length).toBeGreaterThan(200);
  expect(await readFile(join(folder, 'handlers', 'staff-group.mjs'), 'utf8')).toContain('const isStaff = ');
});

test('the licence of every library in the bundle goes with it', async () => {
  const licenses = await readFile(join(folder, 'THIRD_PARTY_LICENSES.txt'), 'utf8');
  const libraries = librariesIn(Object.keys(metafile.outputs).flatMap(inputsOf));
  expect(libraries.size).toBeGreaterThan(20);
  for (const library of libraries) {
    const root = join(PROJECT, 'node_modules', library);
    const { version, license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(licenses).toContain(`${library} ${version} (${license})\n`);
    const file = (await readdir(root)).find((name) => /^licen[cs]e/i.test(name));
    if (file) expect(licenses).toContain((await readFile(join(root, file), 'utf8')).trim());
  }
  // Its packages have no licence file.
  expect(licenses).toMatch(
    /@middy\/core [\d.]+ \(MIT\)\n(@middy.*\n)*\n.*Copyright \(c\) .*Middy contributors.*\n\nPermission/,
  );
});

describe('of handlers from elsewhere', () => {
  const sources = temporaryFolder();
  const DEPENDENCY = join(folder, 'dependency.cjs');
  /** By the names of their files. */
  const SOURCES = {
    shares: `import { error, remainingMs, abortSignal } from 'login-hooks';
      export default async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return error([remainingMs() > 0 && remainingMs() < 3000, abortSignal().aborted].join());
      };`,
    patches: `import fs, { readFileSync } from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      fs.readFileSync = (() => 'patched') as never;
      syncBuiltinESMExports();
      export default () => ({ type: 'ErrorResponse', message: String(readFileSync('/')) });`,
    brings: `import { createRequire } from 'node:module';
      import brought from ${JSON.stringify(DEPENDENCY)};
      const require = createRequire(import.meta.url);
      const message = [brought, typeof require('node:fs').readFileSync].join();
      export default () => ({ type: 'ErrorResponse', message });`,
    failing: `import type { SamlHandler } from 'login-hooks';

    interface LeftOut { byTheBuild: true }

    const failing: SamlHandler = () => {
      throw new RangeError('line 6');
    };
    export default failing;`,
  };
  const GONE = ['gone.mjs', 'gone.mjs.map'];

  beforeAll(async () => {
    await writeFile(
      DEPENDENCY,
      `const path = require('path'); module.exports = path.basename('/a/brought');`,
    );
    const files = Object.keys(SOURCES).map((name) => join(sources, `${name}.ts`));
    for (const [index, text] of Object.values(SOURCES).entries()) await writeFile(files[index] ?? '', text);
    for (const file of GONE) await writeFile(join(folder, 'handlers', file), '');
    await build({ outdir: folder, entries: withHandler(...files) });
  });

  /** The answer of a SAML login, and the login's record. */
  const loginBy = (name: string) => {
    const env = { SAML_HANDLER_MODULE: `handlers/${name}`, HANDLER_TIMEOUT_MS: '3000' };
    return login('samlLoggedIn', samlEvent(), { root: folder, env });
  };

  test('what an earlier build left is removed', async () => {
    const handlers = await readdir(join(folder, 'handlers'));
    expect(handlers).toContain('failing.mjs.map');
    expect(handlers.filter((file) => GONE.includes(file))).toEqual([]);
  });

  test.each([
    ['shares', 'the state of the function that runs it', 'true,false'],
    ['patches', 'built-ins as they are, and what is patched in one is seen', 'patched'],
    ['brings', 'CommonJS code that requires a built-in, and has a require of its own', 'brought,function'],
  ])('one %s %s', async (name, _, message) => {
    expect((await loginBy(name)).answer.message).toBe(message);
  });

  test('the frames of an error lead to the lines of the sources, the operator’s and ours', async () => {
    const { record } = await loginBy('failing');
    const [handlerFrame, ourFrame = ''] = (record?.error as { frames: string[] } | undefined)?.frames ?? [];
    expect(handlerFrame).toMatch(/^at .*[\\/]failing\.ts:6:13$/);
    const [, file = '', line = ''] = /^at (.*runHandler\.ts):(\d+):\d+$/.exec(ourFrame) ?? [];
    expect(file).toBe(join(PROJECT, 'lib', 'login', 'runHandler.ts'));
    expect((await readFile(file, 'utf8')).split('\n')[Number(line) - 1]).toContain('handler(');
  });
});
