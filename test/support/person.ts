/** A person's browser: redirects, cookies and forms over real HTTP, without scripts. */

/** What the browser shows. */
export interface Page {
  url: URL;
  status: number;
  text: string;
}

const MAX_REDIRECTS = 10;
const REDIRECTS = [302, 303];
/** Pages of Keycloak have one form. */
const FORM = /<form\b([^>]*)>([\s\S]*?)<\/form>/i;
const INPUT = /<input\b[^>]*>/gi;

export class Person {
  /** By host and name. */
  readonly #cookies = new Map<string, Map<string, string>>();

  /** Follows redirects, until one leads to `end`. @returns that address: nobody need be there */
  async leave(start: URL, end: string): Promise<URL> {
    const { url, text } = await this.open(start.href, {}, end);
    if (!url.href.startsWith(end)) throw new Error(`${url.pathname} leads to no ${end}: ${text}`);
    return url;
  }

  /** Follows redirects. @returns the first page that is none */
  async open(address: string, init: RequestInit = {}, end?: string): Promise<Page> {
    let [url, sent] = [new URL(address), init];
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const headers = { cookie: this.#cookieFor(url), accept: 'text/html' };
      const response = await fetch(url, { ...sent, headers, redirect: 'manual' });
      this.#keep(url, response);
      const text = await response.text();
      const location = response.headers.get('location');
      if (location === null || !REDIRECTS.includes(response.status)) {
        const page = { url, status: response.status, text };
        // A script posts the form of SAML.
        return text.includes('name="SAMLResponse"') ? this.submit(page, {}) : page;
      }
      [url, sent] = [new URL(location, url), {}];
      if (end !== undefined && url.href.startsWith(end)) return { url, status: response.status, text };
    }
    throw new Error(`more than ${MAX_REDIRECTS} redirects, the last to ${url.host}${url.pathname}`);
  }

  /** Sends the form of the page, with these fields beside the hidden ones. */
  async submit({ url, text }: Page, fields: Record<string, string>): Promise<Page> {
    const [, attributes = '', inside = ''] = FORM.exec(text) ?? [];
    const action = attributeOf(attributes, 'action');
    if (action === null) throw new Error(`no form at ${url.pathname}: ${inkOf(text)}`);
    const hidden = Array.from(inside.matchAll(INPUT), ([input]) => input)
      .filter((input) => attributeOf(input, 'type') === 'hidden')
      .map((input) => [attributeOf(input, 'name') ?? '', attributeOf(input, 'value') ?? '']);
    const body = new URLSearchParams({ ...Object.fromEntries(hidden), ...fields });
    return this.open(new URL(action, url).href, { method: 'POST', body });
  }

  #cookieFor({ host }: URL): string {
    return Array.from(this.#cookies.get(host) ?? [], ([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep({ host }: URL, { headers }: Response): void {
    const cookies = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, cookies);
    for (const set of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/max-age=0/i.test(set) || value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
  }
}

function attributeOf(element: string, name: string): string | null {
  const [, value] = new RegExp(`\\b${name}="([^"]*)"`, 'i').exec(element) ?? [];
  return value?.replaceAll('&amp;', '&') ?? null;
}

/** The text of HTML. */
export function inkOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
