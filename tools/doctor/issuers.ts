/** The issuers whose logins a stage accepts: those of its settings, and those of its handlers' mappings. */
import { KINDS, type LoginKind } from '../../lib/kinds.ts';
import { parseMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { issuerParts } from '../../lib/profile/schema/ofIssuer.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import { variableOf } from '../../lib/settings.ts';
import { Engine } from '../local/engine.ts';
import { type HandlerOf, type Loaded, loadedMapping } from '../local/mappingOf.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { error, type Finding, note } from '../shared/finding.ts';
import { FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import type { Stage } from '../shared/stage.ts';
import { typed } from '../shared/usage.ts';

export interface ListedIssuer {
  issuer: string;
  /** Where the setting says that its keys are; undefined where it does not. */
  jwksUri?: string | undefined;
  userinfo: boolean;
  scopes: readonly string[];
}

/**
 * @param loaded where the handlers are built; default: they are built for this
 * @throws {UnusableInput} for settings that no function could use, and for a handler that cannot be loaded
 */
export async function listedIssuers(stage: Stage, kind: LoginKind, loaded?: Loaded) {
  const { functionName, issuers, check } = KINDS[kind];
  if (!FUNCTION_NAMES.includes(functionName)) return { issuers: [], findings: [] };
  const { settings, problems } = readConfiguration(kind, stage.env);
  if (problems.length > 0) throw new UnusableInput(problems.join('\n'));
  const set = new Set(settings[issuers].keys());
  const mapped = await mappedIssuers(stage, functionName, loaded);
  const names = [...new Set([...set, ...mapped.keys()])];
  const variable = variableOf(issuers);
  const refused = names.filter((name) => {
    const isInSetting = set.has(name) || settings[check] === 'off';
    return !(isInSetting && (mapped.has(name) || mapped.size === 0));
  });
  return {
    issuers: names.map((issuer) => ({
      issuer,
      jwksUri: settings.openidIssuers.get(issuer)?.jwks_uri,
      ...(mapped.get(issuer) ?? { userinfo: false, scopes: [] }),
    })),
    findings: [
      ...(names.length === 0 ? [unlisted(functionName, variable)] : []),
      ...refused.map((issuer) => {
        const message = `only one of ${variable} and the mapping lists this issuer: each of its logins is refused`;
        return error('issuer_refused', issuer, message, 'list it in both, or in none');
      }),
    ],
  };
}

function unlisted(functionName: string, variable: string): Finding {
  const message = `neither ${variable} nor a mapping lists an issuer: there is no provider to examine`;
  const change = `list the issuers in the mapping of the handler or in ${variable}`;
  return note('issuers_unlisted', functionName, message, change);
}

async function mappedIssuers(
  stage: Stage,
  functionName: string,
  loaded: Loaded | undefined,
): Promise<ReadonlyMap<string, Pick<ListedIssuer, 'userinfo' | 'scopes'>>> {
  const handlerModule = stage.handlerOf(functionName);
  if (handlerModule === undefined) return new Map();
  const mapping = await mappingOfStage(stage, { functionName, handlerModule }, loaded);
  const parts = mapping === null ? [] : issuerParts(parseMapping(mapping));
  return new Map(
    parts.flatMap(({ issuer, asksUserInfo: userinfo, rules }) => {
      const scopes = rules.flatMap(({ rule }) => ('scopes' in rule ? rule.scopes : []));
      return issuer === null ? [] : [[issuer, { userinfo, scopes }] as const];
    }),
  );
}

/** Null for a handler of code. */
async function mappingOfStage(stage: Stage, handler: HandlerOf, loaded: Loaded | undefined) {
  const load = (built: Loaded) =>
    loadedMapping(handler, built).catch(() => {
      const problem = `${handler.handlerModule}: the handler cannot be loaded, so nobody knows which issuers it lists`;
      throw new UnusableInput(`${problem}: see ${typed('verify')}`);
    });
  if (loaded) return load(loaded);
  await using engine = await Engine.open({ stage });
  return await load(engine);
}
