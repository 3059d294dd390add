/**
 * What a function logs on Lambda goes neither to stdout nor to stderr: the runtime's client writes frames to a file
 * descriptor that Lambda names. A frame is type, length and time (4, 4 and 8 bytes, big-endian), then the message.
 */
import type { Readable } from 'node:stream';

export const TELEMETRY_FD = 3;
const HEADER_BYTES = 16;
const LENGTH_AT = 4;

/** Gives each message on as a line. */
export function readTelemetry(stream: Readable, onLine: (line: string) => void): void {
  let left = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    left = Buffer.concat([left, chunk]);
    while (left.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + left.readUInt32BE(LENGTH_AT);
      if (left.length < end) return;
      onLine(`${left.subarray(HEADER_BYTES, end).toString().trimEnd()}\n`);
      left = left.subarray(end);
    }
  });
}
