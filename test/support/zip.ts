export interface ZipEntry {
  name: string;
  compressedBytes: number;
}

/** Where a central directory header has what, in bytes from its start (APPNOTE 4.3.12). */
const COMPRESSED_SIZE = 20;
const NAME_LENGTH = 28;
const NAME = 46;

/** The files in a zip, as its central directory lists them. */
export function zipEntries(zip: Buffer): ZipEntry[] {
  const entries = [];
  for (let at = zip.indexOf('PK\x01\x02'); at >= 0; at = zip.indexOf('PK\x01\x02', at + 4)) {
    entries.push({
      name: zip.toString('utf8', at + NAME, at + NAME + zip.readUInt16LE(at + NAME_LENGTH)),
      compressedBytes: zip.readUInt32LE(at + COMPRESSED_SIZE),
    });
  }
  return entries;
}
