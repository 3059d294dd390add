/** The discovery document of an issuer, cached for an hour. */
import * as v from 'valibot';
import { lookUp } from '../toolkit/lookUp.ts';
import { endpoint, url } from '../toolkit/url.ts';

const CACHE_SECONDS = 3_600;

/**
 * Metadata from an issuer's discovery document (OpenID Connect Discovery 1.0 section 4).
 *
 * @param issuer one that the operator configured; the document must name the same (section 4.3)
 * @param metadata the schema of the metadata that the caller needs
 * @param options `allowHttp`: whether `http:` is allowed
 * @throws {LookUpFailed}
 */
export async function discover<TMetadata extends object>(
  issuer: string,
  metadata: v.GenericSchema<object, TMetadata>,
  { allowHttp }: { allowHttp: boolean },
): Promise<TMetadata> {
  const ofIssuer = v.object({ issuer: v.literal(issuer) });
  const schema = v.intersect([ofIssuer, metadata]) as v.GenericSchema<unknown, TMetadata>;
  const document = url`${endpoint(issuer)}/.well-known/openid-configuration`;
  return lookUp(document, schema, { allowHttp, cacheSeconds: CACHE_SECONDS });
}
