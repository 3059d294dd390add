/** The login event that a function was given, directly or as an HTTP body. */
import { isObject, type JsonObject, own } from './json.ts';

export const MAX_BODY_BYTES = 262_144;

export interface HttpEvent extends JsonObject {
  requestContext: JsonObject;
}

export function isHttpEvent(event: unknown): event is HttpEvent {
  return isObject(event) && isObject(event.requestContext);
}

export type Received =
  | { kind: 'event'; event: unknown; text: string | null }
  | { kind: 'too large' | 'no body' | 'not JSON' };

/** What arrived; of a direct event the event itself, without `text`. */
export function received(lambdaEvent: unknown): Received {
  if (!isHttpEvent(lambdaEvent)) return { kind: 'event', event: lambdaEvent, text: null };
  const bytes = bodyBytes(lambdaEvent);
  if (bytes.length > MAX_BODY_BYTES) return { kind: 'too large' };
  if (typeof lambdaEvent.body !== 'string' || lambdaEvent.body === '') return { kind: 'no body' };
  try {
    const text =
      lambdaEvent.isBase64Encoded === true
        ? new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
        : lambdaEvent.body;
    return { kind: 'event', event: JSON.parse(text), text };
  } catch {
    return { kind: 'not JSON' };
  }
}

export function bodyBytes({ body, isBase64Encoded }: HttpEvent): Buffer {
  return Buffer.from(typeof body === 'string' ? body : '', isBase64Encoded === true ? 'base64' : 'utf8');
}

/** Every value that a header was sent with, in any spelling of its name, the multi-value headers' first. */
export function headerValues(event: HttpEvent, name: string): string[] {
  return [event.multiValueHeaders, event.headers].flatMap((headers) =>
    isObject(headers)
      ? Object.keys(headers)
          .filter((key) => key.toLowerCase() === name)
          .flatMap((key) => own(headers, key))
          .filter((value) => typeof value === 'string')
      : [],
  );
}
