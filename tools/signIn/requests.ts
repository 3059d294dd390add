/** Requests to a provider, bounded in size and time, and what is said where one gets no response. */
import type { CustomFetchOptions } from 'openid-client';
import { isLoopbackHttp } from '../../lib/issuers.ts';
import { connectionFailure, problemOf } from '../../lib/toolkit/connectionFailure.ts';
import { quoted } from '../capture/findings.ts';
import { ONE_PROVIDER } from '../capture/metadata.ts';
import { SignInRefused } from './refusals.ts';

/** In bytes, after decompression. The largest key sets, discovery documents and metadata have some 100,000. */
const MAX_RESPONSE = 1_048_576;
/** RFC 9110 section 6.4.1: such a response has no body. */
const WITHOUT_BODY = [204, 205, 304];

/**
 * Reads the response whole. Its time is bounded by the signal that openid-client gives.
 *
 * @throws {SignInRefused} where there is no response, or a larger one
 */
export async function boundedFetch(url: string, options: CustomFetchOptions): Promise<Response> {
  if (URL.parse(url)?.protocol !== 'https:' && !isLoopbackHttp(url)) throw insecure(url);
  try {
    const { status, statusText, headers, body } = await fetch(url, options as RequestInit);
    const bytes = await bounded(body);
    if (bytes === null) {
      throw new SignInRefused(
        `${hostOf(url)} sent more than ${MAX_RESPONSE} bytes, which no single provider does: check the issuer; of SAML, ${ONE_PROVIDER}.`,
      );
    }
    return new Response(WITHOUT_BODY.includes(status) ? null : bytes, { status, statusText, headers });
  } catch (error) {
    throw error instanceof SignInRefused ? error : unreachable(url, options, error);
  }
}

/** @returns null where it is larger */
async function bounded(body: Response['body']): Promise<Buffer<ArrayBuffer> | null> {
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
  const address = quoted(url.replace(/[?#].*/s, ''));
  return new SignInRefused(
    `Expected an address with https, found ${address || 'none'}: others could change on its way what it sends. Plain http is only for a provider on this machine.`,
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
  const why = failure ? ` (${failure.code}): ${problemOf(failure)}` : ': check the issuer or the address';
  return new SignInRefused(`${host} cannot be reached${why}.`);
}
