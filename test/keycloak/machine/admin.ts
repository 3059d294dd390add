/** The administrator of Keycloak, by its Admin REST API. */

/** A client as Keycloak represents it. */
export interface Client {
  id: string;
  clientId: string;
  redirectUris: string[];
  attributes: Record<string, string>;
}

/** Some of its fields. */
export type Change = Partial<Omit<Client, 'id'>> & Record<string, unknown>;

export const REALM = '/realms/campus';

/** A new one each time: they are valid for a minute. */
async function token(): Promise<string> {
  const response = await fetch(`${process.env.KEYCLOAK_URL}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'password', client_id: 'admin-cli' },
      ...{ username: 'admin', password: process.env.KEYCLOAK_PASSWORD ?? '' },
    }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** @param body a text as it is, and anything else as JSON */
export async function admin<TAnswer>(method: string, path: string, body?: unknown): Promise<TAnswer> {
  const isText = typeof body === 'string';
  const response = await fetch(`${process.env.KEYCLOAK_URL}/admin${path}`, {
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

/** What differs from the client while `use` runs. */
export async function whileChanged<T>(client: Client, change: Change, use: () => Promise<T>): Promise<T> {
  const path = `${REALM}/clients/${client.id}`;
  const attributes = { ...client.attributes, ...change.attributes };
  await admin('PUT', path, { ...client, ...change, attributes });
  const without = Object.fromEntries(Object.keys(attributes).map((name) => [name, '']));
  const before = { ...client, attributes: { ...without, ...client.attributes } };
  return use().finally(() => admin('PUT', path, before));
}
