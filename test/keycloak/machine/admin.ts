/** The administrator of Keycloak, by its Admin REST API. */

type Json = Record<string, unknown>;

/** A client as Keycloak represents it. */
export interface Client {
  id: string;
  clientId: string;
  redirectUris: string[];
  attributes: Record<string, string>;
}

/** Some of its fields. */
export type Change = Partial<Omit<Client, 'id'>> & Json;

export interface Mapper {
  name: string;
  protocol: string;
  protocolMapper: string;
  config: Record<string, string>;
}

export class Admin {
  readonly #url: string;
  readonly #password: string;
  readonly realm: string;

  constructor(url: string, password: string, realm: string) {
    this.#url = url;
    this.#password = password;
    this.realm = realm;
  }

  get issuer(): string {
    return `${this.#url}/realms/${this.realm}`;
  }

  /** A realm of its own, in the place of an older one. */
  async makeRealm(representation: Json): Promise<void> {
    await this.removeRealm();
    await this.#send('POST', '/realms', { realm: this.realm, enabled: true, ...representation });
  }

  async removeRealm(): Promise<void> {
    const realms = (await this.#send('GET', '/realms')) as { realm: string }[];
    if (realms.some(({ realm }) => realm === this.realm)) await this.#inRealm('DELETE', '');
  }

  /** "User profile": whether people must have an address. */
  async letAddressBeAbsent(): Promise<void> {
    const profile = (await this.#inRealm('GET', '/users/profile')) as { attributes: Json[] };
    const attributes = profile.attributes.map(({ required, ...attribute }) => {
      return attribute.name === 'email' || required === undefined ? attribute : { ...attribute, required };
    });
    await this.#inRealm('PUT', '/users/profile', { ...profile, attributes });
  }

  /** "Clients", "Import client": what Keycloak makes of the metadata. */
  async importMetadata(metadata: string): Promise<Change> {
    return (await this.#inRealm('POST', '/client-description-converter', metadata)) as Change;
  }

  async makeClient(client: Change): Promise<Client> {
    await this.#inRealm('POST', '/clients', client);
    const query = new URLSearchParams({ clientId: String(client.clientId) });
    const [made] = (await this.#inRealm('GET', `/clients?${query}`)) as Client[];
    if (!made) throw new Error('there is no such client');
    return made;
  }

  async removeClient({ id }: Client): Promise<void> {
    await this.#inRealm('DELETE', `/clients/${id}`);
  }

  /** What differs from the client while `use` runs. */
  async whileChanged<T>(client: Client, change: Change, use: () => Promise<T>): Promise<T> {
    const attributes = { ...client.attributes, ...change.attributes };
    await this.#inRealm('PUT', `/clients/${client.id}`, { ...client, ...change, attributes });
    const without = Object.fromEntries(Object.keys(attributes).map((name) => [name, '']));
    const before = { ...client, attributes: { ...without, ...client.attributes } };
    return use().finally(() => this.#inRealm('PUT', `/clients/${client.id}`, before));
  }

  /** "Add mapper", "By configuration". */
  async addMappers({ id }: Client, mappers: readonly Mapper[]): Promise<void> {
    await this.#inRealm('POST', `/clients/${id}/protocol-mappers/add-models`, mappers);
  }

  /** "Add mapper", "From predefined mappers". */
  async predefinedMappers(protocol: string, names: readonly string[]): Promise<Mapper[]> {
    const { builtinProtocolMappers } = (await this.#send('GET', '/serverinfo')) as {
      builtinProtocolMappers: Record<string, Mapper[]>;
    };
    return (builtinProtocolMappers[protocol] ?? []).filter(({ name }) => names.includes(name));
  }

  #inRealm(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.#send(method, `/realms/${this.realm}${path}`, body);
  }

  /** @param body a text as it is, and anything else as JSON */
  async #send(method: string, path: string, body?: unknown): Promise<unknown> {
    const isText = typeof body === 'string';
    const response = await fetch(`${this.#url}/admin${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await this.#token()}`,
        'content-type': isText ? 'text/plain' : 'application/json',
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  }

  /** A new one each time: they are valid for a minute. */
  async #token(): Promise<string> {
    const response = await fetch(`${this.#url}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...{ grant_type: 'password', client_id: 'admin-cli' },
        ...{ username: 'admin', password: this.#password },
      }),
    });
    return ((await response.json()) as { access_token: string }).access_token;
  }
}

/** The one that `npm run test:keycloak` has started. */
export function adminHere(realm: string): Admin {
  const { KEYCLOAK_URL, KEYCLOAK_PASSWORD } = process.env;
  if (KEYCLOAK_URL === undefined || KEYCLOAK_PASSWORD === undefined)
    throw new Error('run npm run test:keycloak, which starts Keycloak');
  return new Admin(KEYCLOAK_URL, KEYCLOAK_PASSWORD, realm);
}
