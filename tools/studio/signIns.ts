/** Sign-ins at one's own provider, from their start to what became of them. Typed secrets and results stay in memory. */
import { randomUUID } from 'node:crypto';
import { KINDS } from '../../lib/kinds.ts';
import type { Captured } from '../capture/captured.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import type { Finding } from '../shared/finding.ts';
import { FUNCTIONS, requireFunction } from '../shared/projectFunctions.ts';
import { registrationOpenId, registrationSaml, type Registration as Steps } from '../shared/providers.ts';
import type { Stage } from '../shared/stage.ts';
import { addressOf, OPENID_CALLBACK } from '../signIn/callback.ts';
import { ourMetadata, type SamlIdentity, samlIdentity } from '../signIn/identity.ts';
import { fetchSamlMetadata, samlProviderIn } from '../signIn/metadata.ts';
import { secretNamed, secretNames } from '../signIn/namedSecrets.ts';
import { OpenIdSignIns } from '../signIn/openid.ts';
import { SignInRefused, UnknownState } from '../signIn/refusals.ts';
import { type SamlCallback, SamlSignIns } from '../signIn/saml.ts';
import { hrefTo } from './address.ts';
import type { Login } from './login.ts';
import type { Logins } from './logins.ts';
import type { Protocol } from './words.ts';

/** What to register at a provider. */
export interface Registration {
  /** Of the kinds of login that the project has. */
  protocols: Protocol[];
  openid: { redirectUri: string; providers: Steps[] };
  saml: {
    entityId: string;
    /** The assertion consumer service. */
    acs: string;
    /** Our metadata, as XML. */
    metadata: string;
    providers: Steps[];
  };
  /** The names of secrets that may stand in place of a typed one; empty where `SECRETS_FILE` is not set. */
  secretNames: string[];
}

/** What is typed to sign in; an empty text stands for nothing. */
export interface SignInForm {
  issuer?: string;
  clientId?: string;
  clientSecret?: string;
  /** Of `SECRETS_FILE`; goes before a typed one. */
  secretName?: string;
  /** Separated by spaces. */
  scopes?: string;
  /** The metadata of the provider as XML; goes before the address of it. */
  metadata?: string;
  metadataUrl?: string;
  /** Which provider of a federation's metadata is meant. */
  entityId?: string;
  /** The provider asks, even where somebody is signed in. */
  somebodyElse?: boolean;
}

export interface SignInStarted {
  /** Of the provider's login page. */
  url: string;
  /** What the provider seems to object to; null for nothing. */
  warning: string | null;
}

/** A claim of a sign-in, as the ID token has it and as UserInfo has it; undefined where it has none. */
export interface SignedInClaim {
  name: string;
  inToken: unknown;
  inUserInfo: unknown;
  isSame: boolean;
}

/** A sign-in of which no login came. */
export interface SignInResult {
  protocol: Protocol;
  /** Null where the provider let the person in, and no event can be made of it. */
  refused: {
    /** The provider's own words; null where it has none. */
    providerMessage: string | null;
    /** What to change, and where. */
    fix: string;
  } | null;
  findings: Finding[];
}

interface Saml {
  identity: SamlIdentity;
  signIns: SamlSignIns;
}

/** Of callbacks that belong to no sign-in, by their ids. Any site can send one: none takes the place of a result. */
const NOTHING_WAITED: Readonly<Record<string, SignInResult>> = {
  'none-openid': nothingWaited('openid'),
  'none-saml': nothingWaited('saml'),
};

function nothingWaited(protocol: Protocol): SignInResult {
  const { providerMessage, fix } = new UnknownState();
  return { protocol, refused: { providerMessage, fix }, findings: [] };
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
  /** By the event of the login, whatever is answered to it later. */
  readonly #claims = new WeakMap<object, SignedInClaim[]>();
  readonly #last = new Map<Protocol, SignInForm>();

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

  /** What was sent last, without its secret. */
  last(protocol: Protocol): SignInForm {
    const { clientSecret: _, ...form } = this.#last.get(protocol) ?? {};
    return form;
  }

  /**
   * @param form null for what was sent last
   * @throws {UnusableInput} where no sign-in can begin with it, or the project has no logins of this kind
   * @throws {SignInRefused}
   */
  start(protocol: Protocol, form: SignInForm | null, somebodyElse: boolean): Promise<SignInStarted> {
    const given = form ?? this.#last.get(protocol);
    if (given === undefined) throw new UnusableInput('fill in the form first: nothing of it is kept');
    this.#last.set(protocol, given);
    return protocol === 'openid'
      ? this.#startOpenId({ ...given, somebodyElse })
      : this.#startSaml({ ...given, somebodyElse });
  }

  async #startOpenId(form: SignInForm): Promise<SignInStarted> {
    requireFunction(KINDS.OpenID.functionName);
    const { issuer = '', clientId = '', clientSecret, secretName, scopes, somebodyElse = false } = form;
    const secret = secretName ? await secretNamed(secretName, this.#stage.secretsFile) : clientSecret;
    return this.#openId.start({
      issuer: issuer.trim(),
      clientId: clientId.trim(),
      clientSecret: secret || undefined,
      somebodyElse,
      ...(scopes?.trim() && { scopes: scopes.trim() }),
    });
  }

  async #startSaml(form: SignInForm): Promise<SignInStarted> {
    requireFunction(KINDS.SAML.functionName);
    const { metadata, metadataUrl, entityId, somebodyElse = false } = form;
    const address = metadata?.trim() ? undefined : metadataUrl?.trim();
    const xml = address ? await fetchSamlMetadata(address) : (metadata ?? '');
    const { signIns } = await this.#openSaml();
    const provider = samlProviderIn(xml, { entityId: entityId?.trim() || undefined, from: address });
    const warning = await signIns.probe(provider);
    return { url: await signIns.start(provider, { somebodyElse }), warning };
  }

  /** @returns where the page shows what came of it */
  finishOpenId(parameters: URLSearchParams): Promise<string> {
    return this.#finish('openid', async () => {
      const { captured, sources, idToken, userInfo } = await this.#openId.finish(parameters);
      const claims = sources.map(({ name, isSame }) => ({
        ...{ name, isSame },
        inToken: idToken[name],
        inUserInfo: userInfo?.[name],
      }));
      return { captured, claims };
    });
  }

  /** @returns where the page shows what came of it */
  finishSaml(callback: SamlCallback): Promise<string> {
    return this.#finish('saml', async () => {
      const saml = await this.#saml;
      if (saml === null) throw new UnknownState();
      return { captured: await saml.signIns.finish(callback), claims: [] };
    });
  }

  /** The claims of a sign-in; empty for any other login. */
  claimsOf({ sample }: Pick<Login, 'sample'>): SignedInClaim[] {
    return this.#claims.get(sample) ?? [];
  }

  result(id: string): SignInResult | undefined {
    return Object.hasOwn(NOTHING_WAITED, id) ? NOTHING_WAITED[id] : this.#results.get(id);
  }

  async #finish(
    protocol: Protocol,
    signIn: () => Promise<{ captured: Captured; claims: SignedInClaim[] }>,
  ): Promise<string> {
    try {
      const { captured, claims } = await signIn();
      const { functionName, events, findings } = captured;
      if (events === null) return this.#remember({ protocol, refused: null, findings });
      const login = await (await this.#logins()).signedIn(functionName, events.plain, findings);
      this.#claims.set(login.sample, claims);
      return hrefTo('logins', login.id);
    } catch (error) {
      if (error instanceof UnknownState) return hrefTo('sign-in', `none-${protocol}`);
      if (!(error instanceof UnusableInput)) throw error;
      const refused = error instanceof SignInRefused ? error : new SignInRefused(error.message);
      const { providerMessage, fix, findings } = refused;
      return this.#remember({ protocol, refused: { providerMessage, fix }, findings: [...findings] });
    }
  }

  #remember(result: SignInResult): string {
    const id = randomUUID();
    this.#results.set(id, result);
    const [oldest = ''] = this.#results.keys();
    if (this.#results.size > MAX_RESULTS) this.#results.delete(oldest);
    return hrefTo('sign-in', id);
  }
}

async function openSaml(port: number, stage: Stage): Promise<Saml> {
  const identity = await samlIdentity(port);
  return { identity, signIns: new SamlSignIns({ identity, environment: stage.environmentOf }) };
}
