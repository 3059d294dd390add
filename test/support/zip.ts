/** Where a central directory header has what, in bytes from its start (APPNOTE 4.3.12). */
const NAME_LENGTH = 28;
const NAME = 46;

/** The names of the files in a zip, as its central directory lists them. */
export function namesIn(zip: Buffer): string[] {
  const names = [];
  for (let at = zip.indexOf('PK\x01\x02'); at >= 0; at = zip.indexOf('PK\x01\x02', at + 4))
    names.push(zip.toString('utf8', at + NAME, at + NAME + zip.readUInt16LE(at + NAME_LENGTH)));
  return names;
}
