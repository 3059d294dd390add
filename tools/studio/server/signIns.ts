/** Sign-ins at one's own provider, from their start to what became of them. Typed secrets and results stay in memory. */
import { randomUUID } from 'node:crypto';
import { KINDS } from '../../../lib/kinds.ts';
import type { Captured } from '../../capture/captured.ts';
import { UnusableInput } from '../../shared/commandLine.ts';
import { FUNCTIONS, requireFunction } from '../../shared/projectFunctions.ts';
import { registrationOpenId, registrationSaml } from '../../shared/providers.ts';
import type { Stage } from '../../shared/stage.ts';
import { addressOf, OPENID_CALLBACK } from '../../signIn/callback.ts';
import { ourMetadata, type SamlIdentity, samlIdentity } from '../../signIn/identity.ts';
import { fetchSamlMetadata, samlProviderIn } from '../../signIn/metadata.ts';
import { secretNamed, secretNames } from '../../signIn/namedSecrets.ts';
import { OpenIdSignIns } from '../../signIn/openid.ts';
import { SignInRefused, UnknownState } from '../../signIn/refusals.ts';
import { type SamlCallback, SamlSignIns } from '../../signIn/saml.ts';
import type { OpenIdSignIn, Registration, SamlSignIn, SignInResult, SignInStarted } from '../api.ts';
import type { Logins } from './logins.ts';

interface Saml {
  identity: SamlIdentity;
  signIns: SamlSignIns;
}

/** Of callbacks that belong to no sign-in, by their ids. Any site can send one: none takes the place of a result. */
const NOTHING_WAITED: Readonly<Record<string, SignInResult>> = {
  'none-openid': nothingWaited('openid'),
  'none-saml': nothingWaited('saml'),
};

function nothingWaited(protocol: SignInResult['protocol']): SignInResult {
  const { providerMessage: theirs, fix: ours } = new UnknownState();
  return { protocol, login: null, refused: { theirs, ours }, findings: [], claims: [] };
}

/** Older results are forgotten. */
const MAX_RESULTS = 50;

export class SignIns {
  readonly #logins: () => Promise<Logins>;
  readonly #redirectUri: string;
  readonly #openId: OpenIdSignIns;
  readonly #port: number;
  readonly #stage: Stage;
  #saml: Promise<Saml> | null = null;
  readonly #results = new Map<string, SignInResult>();

  constructor(port: number, stage: Stage, logins: () => Promise<Logins>) {
    this.#port = port;
    this.#stage = stage;
    this.#logins = logins;
    this.#redirectUri = addressOf(port, OPENID_CALLBACK);
    this.#openId = new OpenIdSignIns({ redirectUri: this.#redirectUri, environment: stage.environmentOf });
    // The keys are made at the first start: what needs them tells why they cannot be used.
    if (Object.hasOwn(FUNCTIONS, 'saml')) this.#openSaml().catch(() => undefined);
  }

  #openSaml(): Promise<Saml> {
    const opened = this.#saml ?? openSaml(this.#port, this.#stage);
    this.#saml = opened;
    // If it cannot be used, the next request tries again: somebody may have corrected it.
    opened.catch(() => {
      this.#saml = null;
    });
    return opened;
  }

  /**
   * Ours, as XML.
   *
   * @throws {UnusableInput} where our key cannot be used
   */
  async metadata(): Promise<string> {
    const { identity } = await this.#openSaml();
    return ourMetadata(identity);
  }

  /** @throws {UnusableInput} where our key cannot be used */
  async registration(): Promise<Registration> {
    const { identity } = await this.#openSaml();
    const redirectUri = this.#redirectUri;
    return {
      protocols: (['openid', 'saml'] as const).filter((protocol) => Object.hasOwn(FUNCTIONS, protocol)),
      openid: { redirectUri, providers: registrationOpenId(redirectUri) },
      saml: {
        entityId: identity.entityId,
        acs: identity.acsUrl,
        metadata: ourMetadata(identity),
        providers: registrationSaml(identity),
      },
      secretNames: await secretNames(this.#stage.secretsFile),
    };
  }

  /** @throws {SignInRefused} or {UnusableInput} where the project has no logins of this kind */
  async startOpenId({ secretName, clientSecret, ...client }: OpenIdSignIn): Promise<SignInStarted> {
    requireFunction(KINDS.OpenID.functionName);
    const secret =
      secretName === undefined ? clientSecret : await secretNamed(secretName, this.#stage.secretsFile);
    return this.#openId.start({ ...client, clientSecret: secret });
  }

  /**
   * @throws {UnusableInput} for metadata that no sign-in can begin with, or where the project has no logins of this kind
   * @throws {SignInRefused}
   */
  async startSaml({ metadata, metadataUrl, entityId, ...who }: SamlSignIn): Promise<SignInStarted> {
    requireFunction(KINDS.SAML.functionName);
    const xml = metadata ?? (metadataUrl === undefined ? '' : await fetchSamlMetadata(metadataUrl));
    const { signIns } = await this.#openSaml();
    const provider = samlProviderIn(xml, {
      entityId,
      from: metadata === undefined ? metadataUrl : undefined,
    });
    const warning = await signIns.probe(provider);
    return { url: await signIns.start(provider, who), warning };
  }

  /** @returns the id of the result */
  finishOpenId(parameters: URLSearchParams): Promise<string> {
    return this.#finish('openid', async () => {
      const { captured, sources } = await this.#openId.finish(parameters);
      return { captured, claims: sources };
    });
  }

  /** @returns the id of the result */
  finishSaml(callback: SamlCallback): Promise<string> {
    return this.#finish('saml', async () => {
      const saml = await this.#saml;
      if (saml === null) throw new UnknownState();
      return { captured: await saml.signIns.finish(callback), claims: [] };
    });
  }

  result(id: string): SignInResult | undefined {
    return Object.hasOwn(NOTHING_WAITED, id) ? NOTHING_WAITED[id] : this.#results.get(id);
  }

  async #finish(
    protocol: SignInResult['protocol'],
    signIn: () => Promise<{ captured: Captured; claims: SignInResult['claims'] }>,
  ): Promise<string> {
    try {
      const { captured, claims } = await signIn();
      const { functionName, events, findings } = captured;
      const logins = await this.#logins();
      const login = events === null ? null : await logins.signedIn(functionName, events.plain, findings);
      const all = login === null ? findings : logins.findingsOf(login);
      return this.#remember({ protocol, login: login?.id ?? null, refused: null, findings: all, claims });
    } catch (error) {
      if (error instanceof UnknownState) return `none-${protocol}`;
      if (!(error instanceof UnusableInput)) throw error;
      const refused = error instanceof SignInRefused ? error : new SignInRefused(error.message);
      const { providerMessage: theirs, fix: ours } = refused;
      const findings = [...refused.findings];
      return this.#remember({ protocol, login: null, refused: { theirs, ours }, findings, claims: [] });
    }
  }

  #remember(result: SignInResult): string {
    const id = randomUUID();
    this.#results.set(id, result);
    const [oldest = ''] = this.#results.keys();
    if (this.#results.size > MAX_RESULTS) this.#results.delete(oldest);
    return id;
  }
}

async function openSaml(port: number, stage: Stage): Promise<Saml> {
  const identity = await samlIdentity(port);
  return { identity, signIns: new SamlSignIns({ identity, environment: stage.environmentOf }) };
}
