/**
 * What a function logs on Lambda goes neither to stdout nor to stderr: the runtime's client writes frames to a file
 * descriptor that Lambda names. A frame is type, length and time (4, 4 and 8 bytes, big-endian), then the message.
 */
import type { Readable } from 'node:stream';

export const TELEMETRY_FD = 3;
const LENGTH_OFFSET = 4;
const HEADER_BYTES = 16;

/** Gives each message on as a line. */
export function readFrames(stream: Readable, onLine: (line: string) => void): void {
  let pending: Buffer = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + pending.readUInt32BE(LENGTH_OFFSET);
      if (pending.length < end) return;
      onLine(`${pending.toString('utf8', HEADER_BYTES, end).trimEnd()}\n`);
      pending = pending.subarray(end);
    }
  });
}
