/**
 * What a function logs on Lambda goes neither to stdout nor to stderr: the runtime's client writes frames to a file
 * descriptor that Lambda names. A frame is type, length and time (4, 4 and 8 bytes, big-endian), then the message.
 */
import type { Readable } from 'node:stream';
import { frameReader } from '../../../tools/local/process/frames.mjs';

export const TELEMETRY_FD = 3;
/** Lambda's form of a frame. */
const FORM = { headerBytes: 16, lengthAt: 4 };

/** Gives each message on as a line. */
export function readTelemetry(stream: Readable, onLine: (line: string) => void): void {
  stream.on(
    'data',
    frameReader((message) => onLine(`${message.toString().trimEnd()}\n`), FORM),
  );
}
