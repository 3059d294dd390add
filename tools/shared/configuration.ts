/** What login-hooks takes from the configuration of `serverless`: the kinds of login, and the name of the service. */
import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { parse } from 'yaml';
import { KINDS, type LoginKind } from '../../lib/kinds.ts';
import { isJsonObject, oneOf, problemsOf, someOf, strict } from '../../lib/schema.ts';
import { UnusableInput } from './commandLine.ts';
import { ofProject } from './project.ts';

export const ALL_KINDS = Object.keys(KINDS) as LoginKind[];

/** Strict: a misspelled `kinds` would be a deployment without functions. */
const LoginHooks = strict({
  kinds: v.exactOptional(someOf(oneOf(ALL_KINDS.map((kind) => KINDS[kind].word)))),
  guardedElsewhere: v.exactOptional(v.unknown()),
});

/** As `serverless` takes it; a variable may stand in its place. */
const SERVICE = /^[a-zA-Z][\w-]*$/;

export interface Configuration {
  /** Those that `custom.loginHooks.kinds` names; null where it names none. */
  kinds: readonly LoginKind[] | null;
  /** Null where it is not written out. */
  service: string | null;
}

/**
 * A configuration that is code is not run: it says nothing here.
 *
 * @param file which need not exist
 * @throws {UnusableInput} for one that cannot be read, or names kinds that do not exist
 */
export function readConfiguration(file: string): Configuration {
  const content = /\.(ya?ml|json)$/.test(file) && existsSync(file) ? contentOf(file) : {};
  const { service } = content;
  const isWrittenOut = typeof service === 'string' && SERVICE.test(service);
  return { kinds: kindsIn(content, ofProject(file)), service: isWrittenOut ? service : null };
}

/** JSON is YAML too. */
function contentOf(file: string): Record<string, unknown> {
  try {
    // Silent about the tags of CloudFormation, such as `!Ref`.
    const content = parse(readFileSync(file, 'utf8'), { logLevel: 'error', merge: true });
    if (isJsonObject(content)) return content;
  } catch (error) {
    throw new UnusableInput(`${ofProject(file)}: expected YAML or JSON: ${(error as Error).message}`);
  }
  throw new UnusableInput(`${ofProject(file)}: expected a configuration of serverless`);
}

/**
 * @param configuration as a file has it, or as `serverless` has read it
 * @param file of the configuration, for an error
 * @returns null where it names none
 * @throws {UnusableInput} for kinds that do not exist, and for an unknown key beside them
 */
export function kindsIn(configuration: Record<string, unknown>, file: string): LoginKind[] | null {
  const { custom } = configuration;
  const written = isJsonObject(custom) ? custom.loginHooks : undefined;
  const result = v.safeParse(LoginHooks, written ?? {});
  if (!result.success)
    throw new UnusableInput(`${file}: custom.loginHooks: ${problemsOf(result.issues).join('; ')}`);
  const { kinds } = result.output;
  return kinds === undefined ? null : ALL_KINDS.filter((kind) => kinds.includes(KINDS[kind].word));
}
