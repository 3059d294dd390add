/**
 * Messages over a pipe: four bytes of length, big-endian, then so many bytes of JSON. Both ends are bounded: what arrives may be
 * anything that the code of a handler writes.
 */

/** In bytes. Lambda takes and gives 6 MB; recorded responses of other systems come on top. */
export const MAX_MESSAGE_BYTES = 33_554_432;
const LENGTH_BYTES = 4;

/**
 * @param {unknown} message
 * @returns {Buffer}
 * @throws {RangeError} for a message that is too long, or nested too deeply
 */
export function frameOf(message) {
  const json = Buffer.from(JSON.stringify(message));
  if (json.length > MAX_MESSAGE_BYTES) throw new RangeError(tooLong(json.length, MAX_MESSAGE_BYTES));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json]);
}

/**
 * Cuts a stream into frames, in linear time, and holds one of them at most.
 *
 * @param {(body: Buffer, header: Buffer) => void} onFrame
 * @param {{ headerBytes?: number, lengthAt?: number, maxBytes?: number }} form of a frame, where it is another one
 * @returns {(chunk: Buffer) => void} takes what arrives; throws RangeError for a frame that is too long
 */
export function frameReader(onFrame, form = {}) {
  const { headerBytes = LENGTH_BYTES, lengthAt = 0, maxBytes = MAX_MESSAGE_BYTES } = form;
  let header = Buffer.alloc(headerBytes);
  let isInBody = false;
  let part = header;
  let filled = 0;
  return (chunk) => {
    for (let at = 0; ; ) {
      const copied = chunk.copy(part, filled, at);
      at += copied;
      filled += copied;
      if (filled < part.length) return;
      if (isInBody) {
        onFrame(part, header);
        header = Buffer.alloc(headerBytes);
        part = header;
      } else {
        const length = header.readUInt32BE(lengthAt);
        if (length > maxBytes) throw new RangeError(tooLong(length, maxBytes));
        // Memory is taken as it is filled: a length alone takes none.
        part = Buffer.allocUnsafeSlow(length);
      }
      isInBody = !isInBody;
      filled = 0;
    }
  };
}

function tooLong(bytes, maxBytes) {
  return `a message of ${bytes} bytes, expected at most ${maxBytes}`;
}
