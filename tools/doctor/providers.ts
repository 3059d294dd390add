/** The identity providers that the stage's settings and mappings list. */
import * as v from 'valibot';
import { UnusableInput } from '../shared/commandLine.ts';
import type { Examination, Facts } from './examination.ts';
import { note } from './findings.ts';
import { listedIssuers, namesOf } from './listedIssuers.ts';
import { examineOpenId, OpenIdFacts } from './openidProviders.ts';
import type { Lifetimes } from './tlsCertificates.ts';

export type ProviderOptions = Omit<Lifetimes, 'nowMs'>;

const ProviderFacts = v.object({ openid: v.optional(OpenIdFacts, {}) });

export function providers(options: ProviderOptions): Examination {
  return async ({ stage, nowMs, before }) => {
    const { openid: openidBefore } = readFacts(before);
    const { openid, saml } = await listedIssuers(stage);
    if ([openid, saml].every((one) => namesOf(one).length === 0))
      return { findings: [noneListed(stage.name)], unasked: [], facts: before };
    const { facts, ...examined } = await examineOpenId(openid, openidBefore, { ...options, nowMs });
    return { ...examined, facts: { openid: facts } };
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
