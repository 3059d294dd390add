/** Requests to an OpenID provider, bounded in size and time, and the message if there is no response. */
import type { CustomFetch, CustomFetchOptions } from 'openid-client';
import { isLoopbackHttp } from '../../lib/issuers.ts';
import { SignInRefused } from './refused.ts';

/** In bytes, after decompression. The largest key sets and discovery documents have some 100,000. */
const MAX_RESPONSE = 1_048_576;

/** RFC 9110 section 6.4.1: such a response has no body. */
const WITHOUT_BODY = [204, 205, 304];

/**
 * Reads each response whole. Its time is bounded by the signal that openid-client gives.
 *
 * @returns throws {SignInRefused} where there is no response, or a larger one
 */
export function boundedFetch(fetch: CustomFetch): CustomFetch {
  return async (url, options) => {
    if (!url.startsWith('https:') && !isLoopbackHttp(url)) throw insecure(url);
    try {
      const response = await fetch(url, options);
      const { status, statusText, headers } = response;
      const body = await bytesOf(response, url);
      return new Response(WITHOUT_BODY.includes(status) ? null : body, { status, statusText, headers });
    } catch (error) {
      throw error instanceof SignInRefused ? error : unreachable(url, options, error);
    }
  };
}

async function bytesOf({ body }: Response, url: string): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE) {
      throw new SignInRefused({
        ours: `${hostOf(url)} sent more than ${MAX_RESPONSE} bytes, which no provider does: check the issuer.`,
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function hostOf(url: string): string {
  return new URL(url).host;
}

function insecure(url: string): SignInRefused {
  return new SignInRefused({
    ours: `The discovery document names an address at ${hostOf(url)} that is not https. Plain http is only for a provider on this machine: have the provider publish https addresses.`,
  });
}

function unreachable(url: string, { signal }: CustomFetchOptions, error: unknown): SignInRefused {
  const host = hostOf(url);
  if (signal?.aborted) {
    return new SignInRefused({
      ours: `${host} did not respond in time: check that this machine reaches it, and try again.`,
    });
  }
  const code = codeOf(error);
  const [, why] = FAILURES.find(([pattern]) => pattern.test(code)) ?? [];
  return new SignInRefused({ ours: why?.(host) ?? connectionFailed(host, code) });
}

const FAILURES: readonly (readonly [RegExp, (host: string) => string])[] = [
  [/CERT_HAS_EXPIRED/, (host) => `The certificate of ${host} has expired: have the provider renew it.`],
  [
    /ALTNAME_INVALID/,
    (host) =>
      `The certificate of ${host} is for another name: use the name of the certificate in the issuer.`,
  ],
  [
    /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/,
    (host) =>
      `This machine does not trust the certificate of ${host}: put the certificate of its authority into a PEM file, and start the command with NODE_EXTRA_CA_CERTS=<file> before it.`,
  ],
  [/ENOTFOUND|EAI_AGAIN/, (host) => `The name ${host} is not found: check the spelling of the issuer.`],
];

function connectionFailed(host: string, code: string): string {
  return `${host} cannot be reached${code && ` (${code})`}: check the issuer, and that this machine reaches it.`;
}

/** Of the connection: it is the cause of fetch's error. */
function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return cause === undefined ? '' : codeOf(cause);
}
