/** Which handlers of the project are for which kind of login: their sources say so by what they import of login-hooks. */
import { readFile } from 'node:fs/promises';
import { KINDS, type LoginKind } from '../../lib/kinds.ts';
import { projectEntries } from '../bundle/build.ts';
import { kindOf } from '../shared/functions.ts';

const IMPORT = /\bimport\b([^;'"]*)\bfrom\s*['"]login-hooks['"]/g;
/** What is in the names that are of use for one kind alone. */
const NAMES: Readonly<Record<LoginKind, RegExp>> = {
  OpenID: /OpenId|IdToken|userInfo/,
  SAML: /Saml|Assertion|attributeValues/,
};

/** As a setting names them. A handler that imports nothing of one kind may be for any. */
export async function handlersOf(functionName: string): Promise<string[]> {
  const handlers = projectEntries().filter(({ out }) => out.startsWith('handlers/'));
  const kinds = await Promise.all(
    handlers.map(async ({ in: file }) => kindsIn(await readFile(file, 'utf8'))),
  );
  return handlers.flatMap(({ out }, index) => (kinds[index]?.includes(kindOf(functionName)) ? [out] : []));
}

/** @param source of a handler */
export function kindsIn(source: string): LoginKind[] {
  const imported = Array.from(source.matchAll(IMPORT), ([, names]) => names).join();
  const all = Object.keys(KINDS) as LoginKind[];
  const named = all.filter((kind) => NAMES[kind].test(imported));
  return named.length > 0 ? named : all;
}
