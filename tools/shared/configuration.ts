/** What login-hooks takes from the configuration of `serverless`: `custom.loginHooks`, and the name of the service. */
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as v from 'valibot';
import { parse } from 'yaml';
import { KINDS, type LoginKind } from '../../lib/kinds.ts';
import { boolean, isJsonObject, problemsOf, someOf, strict, stringThat, text } from '../../lib/schema.ts';
import { variableOf } from '../../lib/settings.ts';
import { UnusableInput } from './commandLine.ts';
import { ofProject } from './project.ts';

const ALL_KINDS = Object.keys(KINDS) as LoginKind[];

const VARIABLE = '${';
/** Of a handler, and of what `serverless` has for all stages. */
const DEFAULT = 'default';
/** Commands read it without resolving variables: an unresolved one must not swap a strict handler for the default. */
const Module = stringThat(
  (module) => module.trim() !== '' && !module.includes(VARIABLE),
  'expected a module that is written out, such as handlers/keycloak, or default',
);
/** Whether the handler may take any issuer is said aloud. The default handler does. */
const Answering = v.pipe(
  v.union(
    [Module, strict({ handler: Module, issuers: v.literal('any') })],
    'expected a module that is written out, such as handlers/keycloak, or default, or {handler, issuers: any}',
  ),
  v.transform((given) => {
    const module = typeof given === 'string' ? given : given.handler;
    return { module, isOfAnyIssuer: typeof given !== 'string' };
  }),
);

/** One letter at least, so that no pattern is every stage. */
const StageName = stringThat(
  (stage) => /^[\w-]+\*?$/.test(stage),
  'expected the name of a stage, such as prod, or its beginning, such as pr-*',
);

/** Strict: a misspelled kind would be a deployment without its function. */
const LoginHooks = strict({
  openid: v.exactOptional(Answering),
  saml: v.exactOptional(Answering),
  /** Whether the functions have routes. Without them, the service invokes the functions directly. */
  http: v.exactOptional(boolean, false),
  /** Those that are there without a file of settings: names, or beginnings with `*` behind them. */
  stages: v.exactOptional(someOf(StageName)),
  /** By what else may be in the stack, the reason; null leaves an entry out. */
  others: v.exactOptional(
    v.pipe(
      // A list would pass as a record.
      v.custom<Record<string, string | null>>(isJsonObject, 'expected a map of reasons'),
      v.record(v.string(), v.nullable(text)),
    ),
    {},
  ),
});

/** The name of a service as `serverless` takes it. A variable may stand in its place, and then the name is not known. */
const SERVICE = /^[a-zA-Z][\w-]*$/;

export type Configuration = ReturnType<typeof readConfiguration>;

const NO_CONFIGURATION = 'custom: {loginHooks: {openid: default, saml: default}}';
const COMMENT = /^\s*#.*$/gm;
/** A variable that is written out, or taken from the environment. */
const LISTED = /([A-Z][A-Z0-9_]+)["']?\s*:|\benv:\s*([\w.-]+)/g;

/**
 * @param file which need not exist: then the default handler answers all logins
 * @throws {UnusableInput} for one that cannot be read without running it, or has something else below `custom.loginHooks`
 */
export function readConfiguration(file: string) {
  if (/\.[jt]s$/.test(file))
    throw new UnusableInput(
      `${ofProject(file)}: expected serverless.yml or serverless.json, because nothing reads a configuration that is code`,
    );
  const { written, content } = contentOf(file);
  const { service } = content;
  requireDeployable(content, ofProject(file));
  const uncommented = written.replaceAll(COMMENT, '');
  const listed = Array.from(uncommented.matchAll(LISTED), ([, key, taken = '']) => key ?? taken);
  return {
    ...loginHooksIn(content, ofProject(file)),
    file: basename(file),
    service: typeof service === 'string' && SERVICE.test(service) ? service : null,
    /** The variables that it has or takes from the environment. */
    listed: [...new Set(listed)],
  };
}

const PLUGIN = 'login-hooks/serverless';
/** A plugin of the project's own may load ours, and what a variable brings is not known here. */
const OWN_PLUGIN = /^(?:[./]|\$\{)/;

/** Without the plugin, `serverless` would deploy a stack without functions, and say nothing. */
function requireDeployable({ plugins, provider }: Record<string, unknown>, file: string): void {
  const name = isJsonObject(provider) ? provider.name : provider;
  if (typeof name === 'string' && name !== 'aws' && !name.includes(VARIABLE))
    throw new UnusableInput(`${file}: provider.name: expected aws, found ${name}`);
  const isOurs = (one: unknown) => one === PLUGIN || OWN_PLUGIN.test(String(one));
  // What has no provider is not meant for a deployment.
  const isLeftOut = plugins === null || (plugins === undefined && provider !== undefined);
  if (isLeftOut || (Array.isArray(plugins) && !plugins.some(isOurs)))
    throw new UnusableInput(`${file}: plugins: expected ${PLUGIN} in the list, which adds the functions`);
}

/** The settings of the handlers that it names. */
export function handlerSettings({ handlers }: Configuration): Record<string, string> {
  const named = ALL_KINDS.map((kind) => [variableOf(KINDS[kind].handlerModule), handlers[kind]?.module]);
  return Object.fromEntries(named.filter(([, module]) => module !== undefined && module !== DEFAULT));
}

function contentOf(file: string): { written: string; content: Record<string, unknown> } {
  try {
    const written = existsSync(file) ? readFileSync(file, 'utf8') : NO_CONFIGURATION;
    // Silent about the tags of CloudFormation, such as `!Ref`.
    const content = parse(written, { logLevel: 'error', merge: true });
    if (isJsonObject(content)) return { written, content };
  } catch (error) {
    throw new UnusableInput(
      `${ofProject(file)}: expected YAML or JSON: ${(error as Error).message.trimEnd()}`,
    );
  }
  throw new UnusableInput(`${ofProject(file)}: expected a configuration of serverless`);
}

/**
 * @param configuration as a file has it, or as `serverless` has read it
 * @param file of the configuration, for an error
 * @throws {UnusableInput}
 */
export function loginHooksIn({ custom = {}, params, stages }: Record<string, unknown>, file: string) {
  if (custom !== null && !isJsonObject(custom))
    throw new UnusableInput(`${file}: custom: expected a map that is written out`);
  const result = v.safeParse(LoginHooks, custom?.loginHooks ?? {});
  if (!result.success)
    throw new UnusableInput(`${file}: custom.loginHooks: ${problemsOf(result.issues).join('; ')}`);
  const { http, stages: named = [], others, ...answering } = result.output;
  const kinds = ALL_KINDS.filter((kind) => answering[KINDS[kind].word] !== undefined);
  if (kinds.length === 0)
    throw new UnusableInput(
      `${file}: custom.loginHooks: expected what answers the logins: openid: handlers/<name>, or openid: default for the default handler; for SAML, saml in the place of openid`,
    );
  const handlers: Partial<Record<LoginKind, v.InferOutput<typeof Answering>>> = Object.fromEntries(
    kinds.map((kind) => [kind, answering[KINDS[kind].word]]),
  );
  return {
    /** What answers, by the kinds of login that have a function. */
    handlers,
    hasHttp: http,
    stages: [...stagesIn(params), ...stagesIn(stages), ...named],
    others,
  };
}

/** What all stages have stands under a name that is none's. */
function stagesIn(section: unknown): string[] {
  return isJsonObject(section) ? Object.keys(section).filter((name) => name !== DEFAULT) : [];
}
