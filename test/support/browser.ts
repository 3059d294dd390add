/** HTTPS as a relying party and a person's browser speak it, trusting one more certificate. */
import https from 'node:https';

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Follows no redirect. Node's own `fetch` takes no certificate on all versions of Node that the project brings. */
export function fetchTrusting(ca: string): Fetch {
  return (url, { method = 'GET', headers, body } = {}) =>
    new Promise((resolve, reject) => {
      const options = { method, ca, headers: Object.fromEntries(new Headers(headers)) };
      const request = https.request(url, options, async (response) => {
        const text = Buffer.concat(await response.toArray()).toString();
        const received = Object.entries(response.headersDistinct);
        const each = received.flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        );
        resolve(new Response(text || null, { status: response.statusCode ?? 0, headers: new Headers(each) }));
      });
      request.on('error', reject);
      request.end(body?.toString());
    });
}

const MAX_REDIRECTS = 10;

/** Follows redirects with the cookies that were set on the way, until one leads to `end`, and returns that one. */
export async function browse(start: URL, end: string, fetch: Fetch): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let redirects = 0; redirects < MAX_REDIRECTS; redirects++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url.href, { headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${url.pathname}: ${response.status} ${await response.text()}`);
    url = new URL(location, url);
    if (url.href.startsWith(end)) return url;
  }
  throw new Error(`more than ${MAX_REDIRECTS} redirects`);
}
