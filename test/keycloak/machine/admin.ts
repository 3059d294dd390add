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

/** The administrator of the Keycloak that `npm run test:keycloak` has started. */
export function adminHere(realm: string) {
  const { KEYCLOAK_URL, KEYCLOAK_PASSWORD = '' } = process.env;
  if (KEYCLOAK_URL === undefined) throw new Error('run npm run test:keycloak, which starts Keycloak');

  /** A new one each time: they are valid for a minute. */
  async function token(): Promise<string> {
    const response = await fetch(`${KEYCLOAK_URL}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...{ grant_type: 'password', client_id: 'admin-cli' },
        ...{ username: 'admin', password: KEYCLOAK_PASSWORD },
      }),
    });
    return ((await response.json()) as { access_token: string }).access_token;
  }

  /** @param body a text as it is, and anything else as JSON */
  async function send<TAnswer>(method: string, path: string, body?: unknown): Promise<TAnswer> {
    const isText = typeof body === 'string';
    const response = await fetch(`${KEYCLOAK_URL}/admin${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await token()}`,
        'content-type': isText ? 'text/plain' : 'application/json',
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? null : JSON.parse(text)) as TAnswer;
  }

  const inRealm = <TAnswer>(method: string, path: string, body?: unknown) =>
    send<TAnswer>(method, `/realms/${realm}${path}`, body);

  async function removeRealm(): Promise<void> {
    const realms = await send<{ realm: string }[]>('GET', '/realms');
    if (realms.some((one) => one.realm === realm)) await inRealm('DELETE', '');
  }

  return {
    issuer: `${KEYCLOAK_URL}/realms/${realm}`,
    /** A realm of its own, in the place of an older one. */
    async makeRealm(representation: Json): Promise<void> {
      await removeRealm();
      await send('POST', '/realms', { realm, enabled: true, ...representation });
    },
    removeRealm,
    /** "User profile": whether people must have an address. */
    async letAddressBeAbsent(): Promise<void> {
      const profile = await inRealm<{ attributes: Json[] }>('GET', '/users/profile');
      const attributes = profile.attributes.map(({ required, ...attribute }) => {
        return attribute.name === 'email' || required === undefined ? attribute : { ...attribute, required };
      });
      await inRealm('PUT', '/users/profile', { ...profile, attributes });
    },
    /** "Clients", "Import client": what Keycloak makes of the metadata. */
    importMetadata: (metadata: string) => inRealm<Change>('POST', '/client-description-converter', metadata),
    async makeClient(client: Change): Promise<Client> {
      await inRealm('POST', '/clients', client);
      const query = new URLSearchParams({ clientId: String(client.clientId) });
      const [made] = await inRealm<Client[]>('GET', `/clients?${query}`);
      if (!made) throw new Error('there is no such client');
      return made;
    },
    removeClient: ({ id }: Client) => inRealm('DELETE', `/clients/${id}`),
    /** What differs from the client while `use` runs. */
    async whileChanged<T>(client: Client, change: Change, use: () => Promise<T>): Promise<T> {
      const attributes = { ...client.attributes, ...change.attributes };
      await inRealm('PUT', `/clients/${client.id}`, { ...client, ...change, attributes });
      const without = Object.fromEntries(Object.keys(attributes).map((name) => [name, '']));
      const before = { ...client, attributes: { ...without, ...client.attributes } };
      return use().finally(() => inRealm('PUT', `/clients/${client.id}`, before));
    },
    /** "Add mapper", "By configuration". */
    addMappers: ({ id }: Client, mappers: readonly Mapper[]) =>
      inRealm('POST', `/clients/${id}/protocol-mappers/add-models`, mappers),
    /** "Add mapper", "From predefined mappers". */
    async predefinedMappers(protocol: string, names: readonly string[]): Promise<Mapper[]> {
      type Info = { builtinProtocolMappers: Record<string, Mapper[]> };
      const { builtinProtocolMappers } = await send<Info>('GET', '/serverinfo');
      return (builtinProtocolMappers[protocol] ?? []).filter(({ name }) => names.includes(name));
    },
  };
}
