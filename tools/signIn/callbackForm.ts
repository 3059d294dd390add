/** What a browser posts to a callback (SAML Bindings 3.5.4). Any page can send one: it is bounded, and read in linear time. */

/** In bytes. A response for a person with 1,000 groups has some 300,000. */
export const MAX_FORM = 1_500_000;

/**
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
