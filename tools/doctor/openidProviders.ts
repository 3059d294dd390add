/** OpenID providers: what they publish against what the stage lists and the mapping asks for. */
import type { JSONWebKeySet } from 'jose';
import * as v from 'valibot';
import { isAtEntra, isHttpsIssuer, isLoopbackHttp, type OpenIdIssuer } from '../../lib/issuers.ts';
import { KeySet } from '../../lib/openid/issuerKeys.ts';
import { UUID } from '../../lib/text.ts';
import { endpoint, LookUpUrl, url } from '../../lib/toolkit/url.ts';
import { askProvider, Stopped } from './askProvider.ts';
import type { Diagnosis, Examined } from './examination.ts';
import { type ListedIssuers, listFindings, type MappedIssuer, namesOf } from './listedIssuers.ts';
import {
  hiddenMembers,
  keysOfApplication,
  otherIssuer,
  withoutAddress,
  withoutKeys,
  withoutUserInfo,
} from './openidFindings.ts';
import { changedKeys, type KeyFacts, keyFacts, signingKeys, unusableKeys } from './openidKeys.ts';
import { type Lifetimes, tlsCertificate } from './tlsCertificates.ts';

/** The keys of each issuer. */
export const OpenIdFacts = v.record(v.string(), v.record(v.string(), v.string()));
export type OpenIdFacts = Readonly<Record<string, KeyFacts>>;

/** OpenID Connect Discovery 1.0 section 3. */
const Discovery = v.object({
  issuer: v.string(),
  jwks_uri: v.optional(v.string()),
  userinfo_endpoint: v.optional(v.string()),
  id_token_signing_alg_values_supported: v.optional(v.array(v.string())),
});
type Discovery = v.InferOutput<typeof Discovery>;

export async function examineOpenId(
  listed: ListedIssuers<OpenIdIssuer>,
  before: OpenIdFacts,
  lifetimes: Lifetimes,
): Promise<Examined<OpenIdFacts>> {
  const issuers = namesOf(listed);
  const all = await Promise.all(
    issuers.map((issuer) => new IssuerExamination(issuer, listed, lifetimes).run(before[issuer] ?? null)),
  );
  return {
    findings: [...listFindings(listed), ...all.flatMap(({ findings }) => findings)],
    unasked: all.flatMap((one) => one.unasked),
    facts: Object.fromEntries(
      all.flatMap(({ keys }, index) => (keys === null ? [] : [[issuers[index] ?? '', keys]])),
    ),
  };
}

class IssuerExamination {
  readonly #issuer: string;
  readonly #settings: OpenIdIssuer | undefined;
  readonly #mapped: MappedIssuer | undefined;
  readonly #lifetimes: Lifetimes;
  readonly #findings: Diagnosis['findings'] = [];
  #unasked: Diagnosis['unasked'] = [];

  constructor(issuer: string, { settings, mapped }: ListedIssuers<OpenIdIssuer>, lifetimes: Lifetimes) {
    this.#issuer = issuer;
    this.#settings = settings.get(issuer);
    this.#mapped = mapped.get(issuer);
    this.#lifetimes = lifetimes;
  }

  /** @param before the keys of the last run; they stay where no others are known */
  async run(before: KeyFacts | null) {
    this.#findings.push(...hiddenMembers(this.#issuer, this.#mapped));
    let keys = before;
    try {
      keys = await this.#keys(await this.#discovery());
      this.#findings.push(...changedKeys(this.#issuer, keys, before));
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      this.#findings.push(...error.examined.findings);
      // Where the request fails too, its failure says what the connection's did.
      if (error.examined.unasked.length > 0) this.#unasked = error.examined.unasked;
    }
    return { findings: this.#findings, unasked: this.#unasked, keys };
  }

  /** Null where nothing of it is used: the setting says where the keys are. */
  async #discovery(): Promise<Discovery | null> {
    const asksUserInfo = this.#mapped?.sources?.userinfo === true;
    if (this.#settings?.jwks_uri !== undefined && !asksUserInfo) return null;
    if (!isAddress(this.#issuer))
      throw new Stopped({ findings: [withoutAddress(this.#issuer)], unasked: [] });
    await this.#examineHost(this.#issuer);
    const address = url`${endpoint(this.#issuer)}/.well-known/openid-configuration`;
    const document = await askProvider(address, Discovery, {
      issuer: this.#issuer,
      code: 'discovery_unusable',
      what: 'the discovery document',
      cure: 'Check that the issuer is exactly the iss of ID tokens, and that its provider still runs there.',
    });
    if (document.issuer !== this.#issuer)
      throw new Stopped({ findings: [otherIssuer(this.#issuer, document.issuer)], unasked: [] });
    if (asksUserInfo) await this.#examineUserInfo(document);
    return document;
  }

  async #examineUserInfo({ userinfo_endpoint }: Discovery): Promise<void> {
    if (userinfo_endpoint !== undefined && this.#isPublishable(userinfo_endpoint))
      return this.#examineHost(userinfo_endpoint);
    this.#findings.push(withoutUserInfo(this.#issuer));
  }

  async #keys(document: Discovery | null): Promise<KeyFacts> {
    const published = document?.jwks_uri ?? '';
    const address = this.#settings?.jwks_uri ?? (this.#isPublishable(published) ? published : null);
    if (address === null) throw new Stopped({ findings: [withoutKeys(this.#issuer)], unasked: [] });
    await this.#examineHost(address);
    const keys = await this.#keySet(address);
    const offered = document?.id_token_signing_alg_values_supported ?? null;
    this.#findings.push(...(await unusableKeys(this.#issuer, keys, offered)));
    const facts = await keyFacts(keys);
    await this.#examineKeysOfApplications(address, facts);
    return facts;
  }

  /** As the functions take it: a provider elsewhere names no plain http on this machine. */
  #isPublishable(address: string): boolean {
    const isLocal = isLoopbackHttp(address) && isLoopbackHttp(this.#issuer);
    return isLocal || URL.parse(address)?.protocol === 'https:';
  }

  async #keySet(address: string) {
    const keySet = await askProvider(new LookUpUrl(address), KeySet, {
      issuer: this.#issuer,
      code: 'key_set_unusable',
      what: 'the key set',
      cure: 'Check jwks_uri in OPENID_ISSUERS where it is set, or tell the people who run the provider.',
    });
    return signingKeys(keySet as JSONWebKeySet);
  }

  /** An application of Entra's that maps claims may have keys of its own, which the tenant's key set lacks. */
  async #examineKeysOfApplications(address: string, keys: KeyFacts): Promise<void> {
    if (!isAtEntra(URL.parse(this.#issuer)) || this.#settings?.jwks_uri !== undefined) return;
    for (const application of this.#settings?.audiences.filter((audience) => UUID.test(audience)) ?? []) {
      const ofApplication = `${address}?appid=${application}`;
      const own = await keyFacts(await this.#keySet(ofApplication));
      if (Object.keys(own).some((thumbprint) => !(thumbprint in keys)))
        this.#findings.push(keysOfApplication(this.#issuer, application, ofApplication));
    }
  }

  /** @throws {Stopped} where the functions would not connect */
  async #examineHost(address: string): Promise<void> {
    const { findings, unasked } = await tlsCertificate(address, this.#lifetimes);
    if (findings.some(({ code }) => code !== 'tls_certificate_ending'))
      throw new Stopped({ findings, unasked });
    this.#findings.push(...findings);
    // Behind a proxy, requests may go where no connection does.
    this.#unasked.push(...unasked);
  }
}

/** A mapping may list any text, such as the `accounts.google.com` of old tokens. */
function isAddress(issuer: string): boolean {
  return isHttpsIssuer(issuer) || (isLoopbackHttp(issuer) && !/[?#]/.test(issuer));
}
