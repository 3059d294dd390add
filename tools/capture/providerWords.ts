/** What a provider says, as it can be shown: it may repeat secrets of the sign-in, and it may name the person. */

/** In characters: an error is a sentence or two. */
const MAX_READ = 20_000;
const MAX_WORDS = 2_000;

/**
 * @param secrets that a provider may repeat
 * @returns its beginning, without secrets and without addresses of people, in linear time
 */
export function providerWords(text: string, secrets: readonly string[] = []): string {
  const read = secrets
    .filter((secret) => secret !== '')
    .reduce((left, secret) => left.replaceAll(secret, '…'), text.slice(0, MAX_READ));
  return beginning(read).replaceAll(/[^\s'"<>()]+/g, (word) => (/[^@]@+[^@]/.test(word) ? '…' : word));
}

/** Half a word may be half an address. */
function beginning(text: string): string {
  if (text.length <= MAX_WORDS) return text;
  const words = text.slice(0, MAX_WORDS);
  return `${words.slice(0, words.lastIndexOf(' ') + 1)}…`;
}
