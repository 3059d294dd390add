/** What a new handler is made of: a mapping, and logins that it answers. */

export interface Template {
  /** What an issuer of the provider looks like. Its group, if any, is the part that differs: a realm, a tenant. */
  issuer: RegExp;
  /** The issuer on the page of the providers. */
  example: string;
  /** The source of a handler. */
  mapping(issuer: Issuer): string;
  /** By their names: a person who gets in, one who does not, and an attack at least. */
  logins(issuer: Issuer): Readonly<Record<string, TemplateLogin>>;
}

export interface Issuer {
  url: string;
  /** What the group of the pattern matches; empty if there is none. */
  part: string;
}

export interface TemplateLogin {
  /** The type of the response. */
  type: 'AuthorizedUserResponse' | 'ForbiddenResponse' | 'ErrorResponse';
  event: unknown;
}

export function authorized(event: unknown): TemplateLogin {
  return { type: 'AuthorizedUserResponse', event };
}

export function forbidden(event: unknown): TemplateLogin {
  return { type: 'ForbiddenResponse', event };
}

export function failed(event: unknown): TemplateLogin {
  return { type: 'ErrorResponse', event };
}

/** What a realm of Keycloak has as its issuer, for both kinds of login. */
export const REALM: Pick<Template, 'issuer' | 'example'> = {
  issuer: /^https?:\/\/[^/]+(?:\/[^?#]+)?\/realms\/([\w.-]+)$/,
  example: 'https://sso.example.edu/realms/campus',
};

/** The role that everybody of a realm has. */
export function defaultRole(realm: string): string {
  return `default-roles-${realm.toLowerCase()}`;
}

/** Of Entra. */
export const OTHER_TENANT = '00000000-1111-4222-8333-444444444444';
