/** Sign-ins at one's own provider, from their start to what became of them. Typed secrets and results stay in memory. */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { KINDS } from '../../lib/kinds.ts';
import type { Captured } from '../capture/captured.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import type { Finding } from '../shared/finding.ts';
import { FUNCTIONS, requireFunction } from '../shared/projectFunctions.ts';
import { registrations } from '../shared/providers.ts';
import type { Stage } from '../shared/stage.ts';
import { addressOf, OPENID_CALLBACK, SAML_CALLBACK, SAML_METADATA } from '../signIn/callback.ts';
import { ourMetadata, type SamlIdentity, samlIdentity } from '../signIn/identity.ts';
import { fetchSamlMetadata, samlProviderIn } from '../signIn/metadata.ts';
import { namedSecrets } from '../signIn/namedSecrets.ts';
import { type OpenIdSignedIn, OpenIdSignIns } from '../signIn/openid.ts';
import type { Started } from '../signIn/probe.ts';
import { SignInRefused, UnknownState } from '../signIn/refusals.ts';
import { type SamlCallback, SamlSignIns } from '../signIn/saml.ts';
import { hrefTo } from './address.ts';
import type { Login, Logins } from './logins.ts';
import { PROTOCOL_NAMES, type Protocol } from './words.ts';

export type Registration = Awaited<ReturnType<SignIns['registration']>>;

/** By the names of the fields; what is left out stands for nothing. */
export type SignInForm = Readonly<Record<string, string>>;

/** What an OpenID provider said of the person, in both places. */
export type SignedInClaims = Pick<OpenIdSignedIn, 'idToken' | 'userInfo' | 'sources'>;

/** A sign-in of which no login came. */
export interface SignInResult {
  protocol: Protocol;
  /** Null where the provider let the person in, and no event can be made of it. */
  refused: Pick<SignInRefused, 'providerMessage' | 'fix'> | null;
  findings: readonly Finding[];
}

const MAX_RESULTS = 50;

export class SignIns {
  readonly #logins: () => Promise<Logins>;
  readonly #openId: OpenIdSignIns;
  readonly #port: number;
  readonly #stage: Stage;
  #saml: Promise<{ identity: SamlIdentity; signIns: SamlSignIns }> | null = null;
  readonly #results = new LRUCache<string, SignInResult>({ max: MAX_RESULTS });
  /** By the event of the login, whatever is answered to it later. */
  readonly #claims = new WeakMap<object, SignedInClaims>();
  /** What was sent last, without its secret. */
  readonly #last = new Map<Protocol, SignInForm>();

  constructor(port: number, stage: Stage, logins: () => Promise<Logins>) {
    this.#port = port;
    this.#stage = stage;
    this.#logins = logins;
    const redirectUri = addressOf(port, OPENID_CALLBACK);
    this.#openId = new OpenIdSignIns({ redirectUri, environment: stage.environmentOf });
    // The keys are made at the first start: what needs them tells why they cannot be used.
    if (Object.hasOwn(FUNCTIONS, 'saml')) this.#openSaml().catch(() => undefined);
  }

  #openSaml() {
    const { environmentOf } = this.#stage;
    this.#saml ??= samlIdentity(this.#port).then((identity) => {
      return { identity, signIns: new SamlSignIns({ identity, environment: environmentOf }) };
    });
    // If it cannot be used, the next request tries again: somebody may have corrected it.
    this.#saml.catch(() => {
      this.#saml = null;
    });
    return this.#saml;
  }

  /** Ours, as XML. @throws {UnusableInput} where our key cannot be used */
  async metadata(): Promise<string> {
    const { identity } = await this.#openSaml();
    return ourMetadata(identity);
  }

  /** @param asked another protocol than those of the project is the first of these */
  async registration(asked: string | null) {
    const protocols = PROTOCOL_NAMES.filter((one) => Object.hasOwn(FUNCTIONS, one));
    const protocol = protocols.find((one) => one === asked) ?? protocols[0] ?? 'openid';
    const redirectUri = addressOf(this.#port, OPENID_CALLBACK);
    const entityId = addressOf(this.#port, SAML_METADATA);
    const acsUrl = addressOf(this.#port, SAML_CALLBACK);
    const isOpenId = protocol === 'openid';
    return {
      protocol,
      protocols,
      addresses: isOpenId
        ? { 'redirect address': redirectUri }
        : { 'entity ID': entityId, 'ACS address': acsUrl },
      providers: registrations(protocol, { redirectUri, entityId, acsUrl }),
      last: this.#last.get(protocol) ?? {},
      /** What may stand in place of a typed secret; empty where `SECRETS_FILE` is not set. */
      secretNames: [...(await namedSecrets(this.#stage.secretsFile)).keys()],
      /** Why nobody can sign in by this protocol, and what to do; null where all is well. */
      problem: isOpenId ? null : await this.#openSaml().then(() => null, messageOf),
    };
  }

  /**
   * @throws {UnusableInput} where no sign-in can begin with it, or the project has no logins of this kind
   * @throws {SignInRefused}
   */
  start(protocol: Protocol, form: SignInForm): Promise<Started> {
    const { clientSecret: _, ...shown } = form;
    this.#last.set(protocol, shown);
    return protocol === 'openid' ? this.#startOpenId(form) : this.#startSaml(form);
  }

  async #startOpenId(form: SignInForm): Promise<Started> {
    requireFunction(KINDS.OpenID.functionName);
    const { issuer = '', clientId = '', clientSecret = '', secretName = '', scopes = '' } = form;
    const named = secretName === '' ? '' : (await namedSecrets(this.#stage.secretsFile)).get(secretName);
    if (named === undefined)
      throw new UnusableInput(`SECRETS_FILE: expected a text, or a field client_secret, under ${secretName}`);
    return this.#openId.start({
      issuer: issuer.trim(),
      clientId: clientId.trim(),
      clientSecret: named || clientSecret || undefined,
      scopes: scopes.trim() || undefined,
      somebodyElse: form.somebodyElse === 'yes',
    });
  }

  async #startSaml(form: SignInForm): Promise<Started> {
    requireFunction(KINDS.SAML.functionName);
    const { metadata = '', metadataUrl = '', entityId = '' } = form;
    const from = metadata.trim() === '' ? metadataUrl.trim() || undefined : undefined;
    const xml = from ? await fetchSamlMetadata(from) : metadata;
    const { signIns } = await this.#openSaml();
    const provider = samlProviderIn(xml, { entityId: entityId.trim() || undefined, from });
    const warning = await signIns.probe(provider);
    return { url: signIns.start(provider, { somebodyElse: form.somebodyElse === 'yes' }), warning };
  }

  finishOpenId(parameters: URLSearchParams): Promise<string> {
    return this.#finish('openid', () => this.#openId.finish(parameters));
  }

  finishSaml(callback: SamlCallback): Promise<string> {
    return this.#finish('saml', async () => {
      const saml = await this.#saml;
      if (saml === null) throw new UnknownState();
      return { captured: await saml.signIns.finish(callback) };
    });
  }

  claimsOf({ sample }: Pick<Login, 'sample'>): SignedInClaims | undefined {
    return this.#claims.get(sample);
  }

  /** Of a callback that belongs to no sign-in: any site can send one, so none takes the place of a result. */
  result(id: string): SignInResult | undefined {
    const protocol = PROTOCOL_NAMES.find((one) => id === `none-${one}`);
    if (protocol) return { protocol, refused: new UnknownState(), findings: [] };
    return this.#results.get(id);
  }

  async #finish(
    protocol: Protocol,
    signIn: () => Promise<{ captured: Captured } & Partial<SignedInClaims>>,
  ): Promise<string> {
    try {
      const { captured, idToken, userInfo = null, sources = [] } = await signIn();
      const { functionName, events, findings } = captured;
      if (events === null) return this.#remember({ protocol, refused: null, findings });
      const login = await (await this.#logins()).signedIn(functionName, events.plain, findings);
      if (idToken) this.#claims.set(login.sample, { idToken, userInfo, sources });
      return hrefTo('logins', login.id);
    } catch (error) {
      if (error instanceof UnknownState) return hrefTo('sign-in', `none-${protocol}`);
      if (!(error instanceof UnusableInput)) throw error;
      const refused = error instanceof SignInRefused ? error : new SignInRefused(error.message);
      return this.#remember({ protocol, refused, findings: refused.findings });
    }
  }

  #remember(result: SignInResult): string {
    const id = randomUUID();
    this.#results.set(id, result);
    return hrefTo('sign-in', id);
  }
}

function messageOf(error: unknown): string {
  if (error instanceof UnusableInput) return error.message;
  throw error;
}
