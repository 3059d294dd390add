/** Parts of an event, as large as the event may be. Sizes are in bytes of JSON. */

/** Writes a text of about so many bytes. */
export type Text = (bytes: number) => string;

/** Two combining marks in an order that Unicode changes: to normalize a long run of them is to sort it. */
export const MARKS = '\u0301\u0327';

/** A piece again and again, with something before and after it. */
export function repeated(piece: string, { before = '', after = '' } = {}): Text {
  return (bytes) => before + piece.repeat(Math.max(1, Math.floor(bytes / jsonLength(piece)))) + after;
}

/** As many items as make so many bytes. */
export function items<TItem>(bytes: number, make: (index: number) => TItem): TItem[] {
  const size = Buffer.byteLength(JSON.stringify(make(0))) + 1;
  return Array.from({ length: Math.max(1, Math.floor(bytes / size)) }, (_, index) => make(index));
}

/** Without the quotes. */
function jsonLength(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

/** Made of digits alone, all of one length. */
export function numbered(index: number): string {
  return String(index).padStart(6, '0');
}

/** Groups in forms that a rule which denies looks through, each with a number in it. */
export const REFUSED_GROUPS: readonly [label: string, text: (number: string) => string][] = [
  ['paths', (number) => `/suspended/${number}`],
  ['percent-encoded groups', (number) => `%73uspended-${number}`],
  ['LDAP URLs', (number) => `ldap://h/cn=${number},ou=groups??`],
  ['reversed distinguished names', (number) => `dc=example,dc=uni,cn=${number}`],
  ['distinguished names that cannot be read', (number) => `cn="${number}",ou=groups,`],
];
