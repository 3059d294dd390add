/** The issuers whose logins a stage accepts: those of its settings, and those of its handlers' mappings. */
import type { OpenIdIssuer, SamlIssuer } from '../../lib/issuers.ts';
import { KINDS, type LoginKind } from '../../lib/kinds.ts';
import { type Mapping, parseMapping, type Rule } from '../../lib/profile/schema/mappingSchema.ts';
import { issuerParts } from '../../lib/profile/schema/ofIssuer.ts';
import { type Sources, sourcesOf } from '../../lib/profile/sources.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import { variableOf } from '../../lib/settings.ts';
import { Engine } from '../local/engine.ts';
import { loadedMapping } from '../local/mappingOf.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import type { Stage } from '../shared/stage.ts';
import { typed } from '../shared/usage.ts';
import { type DoctorFinding, finding, note } from './examination.ts';

/** What a mapping says of an issuer. */
export interface MappedIssuer {
  sources: Sources | null;
  /** Those of all issuers, and its own. */
  rules: readonly Rule[];
}

export interface ListedIssuers<TIssuer = OpenIdIssuer | SamlIssuer> {
  kind: LoginKind;
  /** Of the setting; empty where it is not set. */
  settings: ReadonlyMap<string, TIssuer>;
  /** Whether logins of other issuers than the setting's are refused. */
  isChecked: boolean;
  /** Empty where the handler is no mapping, or lists none. */
  mapped: ReadonlyMap<string, MappedIssuer>;
}

export interface Listed {
  openid: ListedIssuers<OpenIdIssuer>;
  saml: ListedIssuers<SamlIssuer>;
}

/** @throws {UnusableInput} for settings that no function could use, and for handlers that cannot be built */
export async function listedIssuers(stage: Stage): Promise<Listed> {
  const [openid, saml] = [settingsOf('OpenID', stage), settingsOf('SAML', stage)];
  const engine = await Engine.open({ stage });
  try {
    const of = async (kind: LoginKind) => mappedIssuers(await mappingIn(engine, kind), kind);
    return {
      openid: {
        kind: 'OpenID',
        settings: openid.openidIssuers,
        isChecked: openid.openidTokenCheck === 'on',
        mapped: await of('OpenID'),
      },
      saml: {
        kind: 'SAML',
        settings: saml.samlIssuers,
        isChecked: saml.samlAssertionCheck === 'on',
        mapped: await of('SAML'),
      },
    };
  } finally {
    await engine.close();
  }
}

function settingsOf(kind: LoginKind, { env }: Stage) {
  const { settings, problems } = readConfiguration(kind, env);
  if (problems.length > 0) throw new UnusableInput(problems.join('\n'));
  return settings;
}

async function mappingIn(engine: Engine, kind: LoginKind): Promise<Mapping | null> {
  const { functionName } = KINDS[kind];
  const handlerModule = engine.stage.handlerOf(functionName);
  if (handlerModule === undefined || !FUNCTION_NAMES.includes(functionName)) return null;
  return loadedMapping({ functionName, handlerModule }, engine).catch(() => {
    throw new UnusableInput(
      `${handlerModule}: the handler cannot be loaded, so nobody knows which issuers it lists: see ${typed('verify', functionName)}`,
    );
  });
}

function mappedIssuers(mapping: Mapping | null, kind: LoginKind): Map<string, MappedIssuer> {
  const parts = mapping === null ? [] : issuerParts(parseMapping(mapping));
  return new Map(
    parts.flatMap((part) =>
      part.issuer === null
        ? []
        : [
            [
              part.issuer,
              { sources: sourcesOf(part, kind), rules: part.rules.map(({ rule }) => rule) },
            ] as const,
          ],
    ),
  );
}

/** Each once. */
export function namesOf({ settings, mapped }: ListedIssuers): string[] {
  return [...new Set([...settings.keys(), ...mapped.keys()])];
}

/** Where nothing lists an issuer, or the setting and the mapping list different ones. */
export function listFindings({ kind, settings, isChecked, mapped }: ListedIssuers): DoctorFinding[] {
  const { functionName, issuers } = KINDS[kind];
  const variable = variableOf(issuers);
  if (settings.size + mapped.size === 0 && FUNCTION_NAMES.includes(functionName)) {
    return [
      note(
        'issuers_unlisted',
        functionName,
        `Neither ${variable} nor a mapping lists an issuer: there is no provider to examine.`,
        `List the issuers in the mapping of the handler or in ${variable}.`,
      ),
    ];
  }
  const unset = [...mapped.keys()].filter((issuer) => isChecked && !settings.has(issuer));
  const unmapped = [...settings.keys()].filter((issuer) => mapped.size > 0 && !mapped.has(issuer));
  return [
    ...unset.map((issuer) =>
      finding(
        'issuer_not_in_setting',
        issuer,
        `The mapping lists this issuer and ${variable} does not: each of its logins is refused.`,
        `Add it to ${variable}, or remove it from the mapping.`,
      ),
    ),
    ...unmapped.map((issuer) =>
      note(
        'issuer_not_in_mapping',
        issuer,
        `${variable} lists this issuer and the mapping does not: each of its logins is refused.`,
        `Remove it from ${variable}, or add it to the mapping.`,
      ),
    ),
  ];
}
