/** The identity providers that the stage's settings and mappings list. */
import * as v from 'valibot';
import { UnusableInput } from '../shared/commandLine.ts';
import type { Examination, Facts } from './examination.ts';
import { note } from './findings.ts';
import { listedIssuers, namesOf } from './listedIssuers.ts';
import { examineOpenId, OpenIdFacts } from './openidProviders.ts';
import { examineSaml, type MetadataOptions, SamlFacts } from './samlProviders.ts';
import type { Lifetimes } from './tlsCertificates.ts';

export type ProviderOptions = Omit<Lifetimes & MetadataOptions, 'nowMs'>;

const ProviderFacts = v.object({
  openid: v.optional(OpenIdFacts, {}),
  saml: v.optional(SamlFacts, {}),
});

export function providers(given: ProviderOptions): Examination {
  return async ({ stage, nowMs, before }) => {
    const known = readFacts(before);
    const listed = await listedIssuers(stage);
    if ([listed.openid, listed.saml].every((one) => namesOf(one).length === 0))
      return { findings: [noneListed(stage.name)], unasked: [], facts: before };
    const options = { ...given, nowMs };
    const [openid, saml] = await Promise.all([
      examineOpenId(listed.openid, known.openid, options),
      examineSaml(listed.saml, known.saml, options),
    ]);
    return {
      findings: [...openid.findings, ...saml.findings],
      unasked: [...openid.unasked, ...saml.unasked],
      facts: { openid: openid.facts, saml: saml.facts },
    };
  };
}

function readFacts(before: Facts): v.InferOutput<typeof ProviderFacts> {
  const result = v.safeParse(ProviderFacts, before);
  if (result.success) return result.output;
  throw new UnusableInput(
    'the facts about providers are not those that doctor wrote: restore or remove the file',
  );
}

function noneListed(stage: string) {
  return note(
    'issuers_unlisted',
    stage,
    'Neither the settings nor a mapping list an issuer: there is no provider to examine.',
    'List issuers in the mapping of the handler, or in OPENID_ISSUERS or SAML_ISSUERS.',
  );
}
