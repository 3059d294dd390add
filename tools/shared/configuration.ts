/** What login-hooks takes from the configuration of `serverless`: `custom.loginHooks`, and the name of the service. */
import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { parse } from 'yaml';
import { KINDS, type LoginKind } from '../../lib/kinds.ts';
import { boolean, isJsonObject, problemsOf, someOf, strict, stringThat, text } from '../../lib/schema.ts';
import { UnusableInput } from './commandLine.ts';
import { ofProject } from './project.ts';

export const ALL_KINDS = Object.keys(KINDS) as LoginKind[];

const VARIABLE = '${';
/** Commands read it without resolving variables: an unresolved one must not swap a strict handler for the default. */
const Module = stringThat(
  (module) => module.trim() !== '' && !module.includes(VARIABLE),
  'expected a module that is written out, such as handlers/keycloak, or default',
);
const Answering = v.union(
  [Module, strict({ handler: Module, issuers: v.literal('any') })],
  'expected a module that is written out, such as handlers/keycloak, or default, or {handler, issuers: any}',
);

/** Strict: a misspelled kind would be a deployment without its function. */
const LoginHooks = strict({
  /** The module of the handler, or `default`. */
  openid: v.exactOptional(Answering),
  saml: v.exactOptional(Answering),
  /** Whether the functions have routes. Without them, the service invokes the functions directly. */
  http: v.exactOptional(boolean),
  /** Stages without a file of their own, as patterns: `pr-*`. */
  stages: v.exactOptional(someOf(text)),
  /** By what else may be in the stack, the reason; null leaves an entry out. */
  others: v.exactOptional(
    v.pipe(
      // A list would pass as a record.
      v.custom<Record<string, string | null>>(isJsonObject, 'expected a map of reasons'),
      v.record(v.string(), v.nullable(text)),
    ),
  ),
});

/** As `serverless` takes it; a variable may stand in its place. */
const SERVICE = /^[a-zA-Z][\w-]*$/;

export interface Configuration {
  /** The kinds of login that have a function; null where none is named. */
  kinds: readonly LoginKind[] | null;
  /** By kind, the module of its handler; no entry for the default handler. */
  handlers: Readonly<Partial<Record<LoginKind, string>>>;
  hasHttp: boolean;
  others: Readonly<Record<string, string | null>>;
  /** The stages that it names, as names or patterns. */
  stages: readonly string[];
  /** Null where it is not written out. */
  service: string | null;
}

/**
 * @param file which need not exist
 * @throws {UnusableInput} for one that cannot be read without running it, or has something else below `custom.loginHooks`
 */
export function readConfiguration(file: string): Configuration {
  if (/\.[jt]s$/.test(file))
    throw new UnusableInput(
      `${ofProject(file)}: expected serverless.yml or serverless.json, because nothing reads a configuration that is code`,
    );
  const content = existsSync(file) ? contentOf(file) : {};
  const { service, params, stages } = content;
  const isWrittenOut = typeof service === 'string' && SERVICE.test(service);
  const loginHooks = loginHooksIn(content, ofProject(file));
  return {
    ...loginHooks,
    stages: [...keysOf(params), ...keysOf(stages), ...loginHooks.stages],
    service: isWrittenOut ? service : null,
  };
}

/** What is for every stage names none. */
function keysOf(byStage: unknown): string[] {
  return isJsonObject(byStage) ? Object.keys(byStage).filter((name) => name !== 'default') : [];
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
 * @throws {UnusableInput}
 */
export function loginHooksIn(
  { custom = {} }: Record<string, unknown>,
  file: string,
): Omit<Configuration, 'service'> {
  if (custom !== null && !isJsonObject(custom))
    throw new UnusableInput(`${file}: custom: expected a map that is written out`);
  const result = v.safeParse(LoginHooks, custom?.loginHooks ?? {});
  if (!result.success)
    throw new UnusableInput(`${file}: custom.loginHooks: ${problemsOf(result.issues).join('; ')}`);
  const { output } = result;
  const kinds = ALL_KINDS.filter((kind) => output[KINDS[kind].word] !== undefined);
  const handlers = kinds.flatMap((kind) => {
    const answering = output[KINDS[kind].word];
    const module = typeof answering === 'object' ? answering.handler : answering;
    return module === undefined || module === 'default' ? [] : [[kind, module]];
  });
  return {
    kinds: kinds.length === 0 ? null : kinds,
    handlers: Object.fromEntries(handlers),
    hasHttp: output.http ?? false,
    others: output.others ?? {},
    stages: output.stages ?? [],
  };
}
