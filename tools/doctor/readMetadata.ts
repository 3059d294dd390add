/** SAML metadata of one provider or of a whole federation, read as a stream. */
import { type Metadata, MetadataReader, MetadataUnusable } from './metadataReader.ts';

/** The largest federations have some 100 MB. In bytes. */
const MAX_LENGTH = 268_435_456;

/**
 * @param chunks of UTF-8
 * @param wanted entity ids
 * @throws {MetadataUnusable}
 */
export async function readMetadata(
  chunks: AsyncIterable<Uint8Array>,
  wanted: ReadonlySet<string>,
): Promise<Metadata> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = new MetadataReader(wanted);
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_LENGTH) throw new MetadataUnusable(`it has more than ${MAX_LENGTH} bytes`);
    reader.write(decoded(decoder, chunk));
  }
  reader.write(decoded(decoder));
  return reader.end();
}

function decoded(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw new MetadataUnusable('it is not UTF-8');
  }
}
