/** A free-form part of an event, and the events in which it grows. */
export interface GrowingInput {
  label: string;
  name: 'openidLoggedIn' | 'samlLoggedIn';
  /** The largest event of this kind that can arrive, in bytes. */
  largest: number;
  /** An event of about so many bytes. */
  event(bytes: number): unknown | Promise<unknown>;
  /** A pattern of the reasons why such an event may be refused before a handler gets it; null where a handler always does. */
  refusal: string | null;
}

/** Lambda's limit for a direct invocation is 6 MB; some of it is for what does not grow. */
export const LARGEST_DIRECT = 6 * 1024 * 1024 - 8 * 1024;
/** What an ALB lets through, the most of all ways in over HTTP: API Gateway stops at 10 KB. */
export const LARGEST_HEADERS = 64 * 1024;
/** The default of `MAX_BODY_BYTES`. */
export const LARGEST_BODY = 256 * 1024 - 8 * 1024;
