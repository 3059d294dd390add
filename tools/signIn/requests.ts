/** Requests to a provider, bounded in size and time, and what is said where one gets no response. */
import type { CustomFetch, CustomFetchOptions } from 'openid-client';
import { isLoopbackHttp } from '../../lib/issuers.ts';
import { connectionFailure, problemOf } from '../../lib/toolkit/connectionFailure.ts';
import { SignInRefused } from './refusals.ts';

export interface Requests {
  fetch: CustomFetch;
  /** Of each request, in milliseconds. */
  timeoutMs: number;
}

/** In bytes, after decompression. The largest key sets and discovery documents have some 100,000. */
const MAX_RESPONSE = 1_048_576;
/** RFC 9110 section 6.4.1: such a response has no body. */
const WITHOUT_BODY = [204, 205, 304];
const NODES_OWN = globalThis.fetch as CustomFetch;

/**
 * Reads each response whole. Its time is bounded by the signal that openid-client gives.
 *
 * @returns throws {SignInRefused} where there is no response, or a larger one
 */
export function boundedFetch(fetch: CustomFetch = NODES_OWN): CustomFetch {
  return async (url, options) => {
    if (!url.startsWith('https:') && !isLoopbackHttp(url)) throw insecure(url);
    try {
      const response = await fetch(url, options);
      const { status, statusText, headers } = response;
      const body = await boundedBody(response);
      if (body === null) {
        throw new SignInRefused(
          `${hostOf(url)} sent more than ${MAX_RESPONSE} bytes, which no provider does: check the issuer.`,
        );
      }
      return new Response(WITHOUT_BODY.includes(status) ? null : body, { status, statusText, headers });
    } catch (error) {
      throw error instanceof SignInRefused ? error : unreachable(url, options, error);
    }
  };
}

/** @returns null where it is larger */
export async function boundedBody({ body }: Response): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function hostOf(url: string): string {
  return new URL(url).host;
}

function insecure(url: string): SignInRefused {
  return new SignInRefused(
    `The discovery document names an address at ${hostOf(url)} that is not https. Plain http is only for a provider on this machine: have the provider publish https addresses.`,
  );
}

function unreachable(url: string, { signal }: CustomFetchOptions, error: unknown): SignInRefused {
  const host = hostOf(url);
  if (signal?.aborted) {
    return new SignInRefused(
      `${host} did not respond in time: check that this machine reaches it, and try again.`,
    );
  }
  const failure = connectionFailure(error);
  const why = failure ? ` (${failure.code}): ${problemOf(failure)}` : ': check the issuer';
  return new SignInRefused(`${host} cannot be reached${why}.`);
}
