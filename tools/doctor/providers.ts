/** The identity providers that the stage's settings and mappings list. */
import * as v from 'valibot';
import { UnusableInput } from '../shared/commandLine.ts';
import type { Examination, Facts } from './examination.ts';
import { listedIssuers } from './listedIssuers.ts';
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
