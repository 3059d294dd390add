/** What openid-client does not tell of a response: its content type, and how the provider spelled what it has. */
import * as client from 'openid-client';

/** @returns the last response of this endpoint, unread, after the configuration was used; undefined before */
export function responseOf(
  configuration: client.Configuration,
  endpoint: string | undefined,
): () => Response | undefined {
  const fetch = configuration[client.customFetch];
  if (fetch === undefined) throw new Error('expected a configuration with a fetch of its own');
  let last: Response | undefined;
  configuration[client.customFetch] = async (url, options) => {
    const response = await fetch(url, options);
    if (url === endpoint) last = response.clone();
    return response;
  };
  return () => last;
}
