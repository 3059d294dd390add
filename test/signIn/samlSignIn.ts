/** Sign-ins at a real SAML provider, which answers as a test wishes. */
import { afterAll, expect } from '@jest/globals';
import type { Captured } from '../../tools/capture/captured.ts';
import type { Finding } from '../../tools/shared/finding.ts';
import { samlIdentity } from '../../tools/signIn/identity.ts';
import { samlProviderIn } from '../../tools/signIn/metadata.ts';
import { SignInRefused } from '../../tools/signIn/refusals.ts';
import { SamlSignIns } from '../../tools/signIn/saml.ts';
import { samlIdp, signedInAt, type Wishes } from '../support/samlIdp.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** @param certificates with which the provider may sign, beside its own */
export async function samlSignIn(...certificates: string[]) {
  const identity = await samlIdentity(3003, temporaryFolder());
  let wishes: Wishes = {};
  const idp = await samlIdp(identity.acsUrl, () => wishes);
  afterAll(() => idp.close());
  const signIns = new SamlSignIns({ identity, environment: () => ({}) });
  const provider = samlProviderIn(idp.metadata(certificates));

  async function callback(wished: Wishes = {}) {
    wishes = wished;
    return signedInAt(signIns.start(provider));
  }
  async function login(wished: Wishes = {}): Promise<Captured> {
    return signIns.finish(await callback(wished));
  }
  async function refusal(wished: Wishes): Promise<SignInRefused> {
    const error = await login(wished).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SignInRefused);
    expect(JSON.stringify(error) + String(error)).not.toMatch(/\bada\b|Lovelace|SAML_ISSUERS/);
    return error as SignInRefused;
  }
  return { identity, idp, signIns, provider, callback, login, refusal };
}

export function codes({ findings }: { findings: readonly Finding[] }, level = 'error'): string[] {
  return findings.filter((one) => one.level === level).map(({ code }) => code);
}
