/** Which function of the module that a setting names is the handler, and why none is. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { markAsked } from '../../lib/invocation.ts';
import type { LoginKind } from '../../lib/kinds.ts';
import { loadHandler } from '../../lib/login/handlerModule.ts';
import { asLoginError } from '../../lib/reasons.ts';
import { mapSamlLogin } from '../../lib/sdk.ts';
import { customHandler } from '../support/customHandler.ts';
import { fakeTimeouts } from '../support/timeouts.ts';

const NAME = 'handleOpenIdUserLoggedIn';

let folder: string;
beforeAll(async () => {
  folder = dirname(await customHandler(''));
  await mkdir(join(folder, 'handlers', 'a folder'), { recursive: true });
  for (const name of ['staff.mjs', 'a folder/50%.mjs'])
    await writeFile(join(folder, 'handlers', name), `export default () => 'it'`);
});

const load = (module: string, kind: LoginKind = 'OpenID') =>
  loadHandler(module, { root: pathToFileURL(`${folder}/`), kind });

/** What the log says of a handler that is not loaded; null where it is. */
const refusalOf = (module: string, kind?: LoginKind) =>
  load(module, kind).then(
    () => null,
    (error) => {
      const { code, details, cause } = asLoginError(error);
      return { code, ...details, cause };
    },
  );

describe('a handler is found', () => {
  test.each([
    ['as the default export', '.mjs', `export default () => 'it'`],
    ['before a named one', '.mjs', `export default () => 'it'; export const ${NAME} = () => 1`],
    ['under the default handler’s name', '.mjs', `export const ${NAME} = () => 'it'`],
    ['in CommonJS', '.cjs', `module.exports = () => 'it'`],
    ['in CommonJS as an object', '.cjs', `module.exports = { ...{ ${NAME}: () => 'it' } }`],
    ['in CommonJS made from an ES module', '.cjs', `exports.__esModule = true; exports.default = () => 'it'`],
    ['with one parameter', '.mjs', `export default (event) => 'it'`],
  ])('%s', async (_, extension, source) => {
    const module = await customHandler(source, extension);
    for (const name of [module, module.slice(0, -extension.length)]) {
      expect((await load(name))({})).toBe('it');
    }
  });

  test.each(['staff', 'staff.ts', 'staff.mts', 'a folder/50%'])('relative to the root: %s', async (name) => {
    expect((await load(`handlers/${name}`))({})).toBe('it');
  });
});

describe('no handler:', () => {
  const code = 'handler_not_loaded';

  test.each<[string, string, string[]]>([
    ['no export', '', []],
    ['no function', 'export default 7; export const other = 1', ['default', 'other']],
    ['an export that is undefined', 'export default undefined; export const other = 1', ['other']],
  ])('%s', async (_, source, exports) => {
    const module = await customHandler(source);
    const problem = `expected a default export or an export named ${NAME} that is a function`;
    expect(await refusalOf(module)).toEqual({ code, module, problem, exports, cause: undefined });
  });

  test('two parameters', async () => {
    const module = await customHandler('export default (event, context) => 1');
    const problem = 'expected a function of one parameter, the event; it declares 2';
    expect(await refusalOf(module)).toEqual({ code, module, problem, cause: undefined });
  });

  test('for OpenID, a mapping of SAML', async () => {
    // A module outside of the bundle has the bundle's functions only through what both share.
    Object.assign(process, { loginHooksMapping: mapSamlLogin({}) });
    const module = await customHandler('export default process.loginHooksMapping');
    const cure = 'make it with mapOpenIdLogin, or set it in SAML_HANDLER_MODULE';
    const problem = `expected a handler of OpenID logins; it is a mapping of SAML logins: ${cure}`;
    expect(await refusalOf(module, 'OpenID')).toEqual({ code, module, problem, cause: undefined });
    expect(await refusalOf(module, 'SAML')).toBeNull();
  });

  test('the module throws', async () => {
    const module = await customHandler(`throw new TypeError('no such region')`);
    const cause = expect.objectContaining({ name: 'TypeError' });
    expect(await refusalOf(module)).toEqual({ code, module, problem: 'threw while loading', cause });
  });

  test('the module throws after a secret or a look-up was asked for', async () => {
    const module = await customHandler(`throw new TypeError('SECRET')`);
    expect(await refusalOf(module)).toMatchObject({ cause: { message: 'SECRET' } });
    markAsked();
    const other = await customHandler(`throw new TypeError('SECRET')`);
    const problem =
      'threw while loading, after a request for a secret or a look-up; its message may contain the response and is not logged';
    const cause = expect.objectContaining({ name: 'TypeError' });
    expect(await refusalOf(other)).toEqual({ code, module: other, problem, cause });
  });

  test('the module never finishes loading', async () => {
    const module = await customHandler('await new Promise(() => {})');
    fakeTimeouts();
    const refusal = refusalOf(module);
    jest.advanceTimersByTime(8_000);
    expect(await refusal).toMatchObject({ code, module, problem: 'did not finish loading within 8000 ms' });
    jest.useRealTimers();
  });

  const candidates = (path: string) => ['', '.mjs', '.js', '.cjs'].map((extension) => `${path}${extension}`);

  test.each(['handlers/none', 'handlers', 'node:fs', 'x'.repeat(300)])(
    'there is no file %s',
    async (module) => {
      const lookedFor = expect.arrayContaining(candidates(`${folder}/${module}`));
      expect(await refusalOf(module)).toMatchObject({
        code,
        module,
        problem: 'found no such file',
        lookedFor,
      });
    },
  );

  test('a source file is looked for as it is built', async () => {
    const built = expect.arrayContaining([join(folder, 'handlers/none.mjs')]);
    expect(await refusalOf('handlers/none.ts')).toMatchObject({ lookedFor: built });
    for (const module of ['/no/such/module.mjs', '/no/such/module.tsx'])
      expect(await refusalOf(module)).toMatchObject({ lookedFor: candidates(module) });
  });
});
