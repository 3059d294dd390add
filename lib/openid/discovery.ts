/** Where an issuer has its endpoints, by its discovery document, which is cached for an hour. */
import * as v from 'valibot';
import { isLoopbackHttp } from '../issuers.ts';
import { lookUp } from '../toolkit/lookUp.ts';
import { endpoint, LookUpUrl, url } from '../toolkit/url.ts';

const CACHE_SECONDS = 3_600;

/**
 * The URL of an endpoint (OpenID Connect Discovery 1.0 section 4): https, or http on loopback where the issuer is so.
 *
 * @param issuer one that the operator configured; the document must name the same (section 4.3)
 * @throws {LookUpFailed}
 */
export async function discover(issuer: string, name: 'jwks_uri' | 'userinfo_endpoint'): Promise<LookUpUrl> {
  const allowHttp = isLoopbackHttp(issuer);
  const isAllowed = (text: string) => text.startsWith('https:') || (allowHttp && isLoopbackHttp(text));
  const document = v.object({
    issuer: v.literal(issuer),
    [name]: v.pipe(v.string(), v.url(), v.check(isAllowed)),
  });
  const address = url`${endpoint(issuer)}/.well-known/openid-configuration`;
  const found = await lookUp(address, document, { allowHttp, cacheSeconds: CACHE_SECONDS });
  return new LookUpUrl(String(found[name]));
}
