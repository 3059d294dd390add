/** What providers and browsers reach on this machine during a sign-in: the one place where each path stands, and what is posted there. */

/** The redirect URI (OpenID Connect Core 3.1.2.1). */
export const OPENID_CALLBACK = '/callback/openid';
/** The assertion consumer service (SAML Metadata 2.4.4). */
export const SAML_CALLBACK = '/callback/saml';
/** Our metadata; its address is our entity id. */
export const SAML_METADATA = '/saml/metadata';

/** As providers have it registered: they compare it letter by letter. */
export function addressOf(port: number, path: string): string {
  return `http://localhost:${port}${path}`;
}

/** In bytes. A response for a person with 1,000 groups has some 300,000. */
export const MAX_FORM = 1_500_000;

/**
 * Any page can send a form (SAML Bindings 3.5.4): it is bounded, and read in linear time.
 *
 * @param body of `application/x-www-form-urlencoded`. `URLSearchParams` takes the square of the number of names
 * @returns the value of each of these names, its first one; undefined where there is none
 */
export function formFields<const TName extends string>(
  body: string,
  names: readonly TName[],
): Partial<Record<TName, string>> {
  const fields: Partial<Record<TName, string>> = {};
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf('&', at) < 0 ? body.length : body.indexOf('&', at);
    const name = names.find((one) => body.startsWith(`${one}=`, at));
    if (name !== undefined) fields[name] ??= decoded(body.slice(at + name.length + 1, end));
    at = end + 1;
  }
  return fields;
}

/** Empty for malformed percent-encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return '';
  }
}
