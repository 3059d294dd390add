/** URLs for look-ups, in which no value changes the host or the path. */
import { LookUpFailed } from '../reasons.ts';

/** A URL that a look-up may use. The `url` tag makes one and encodes each value in it. */
export class LookUpUrl {
  readonly href: string;

  /** For this bundle only. Handlers use `url`, `endpoint` and `followLink`. */
  constructor(href: string) {
    this.href = href;
  }

  get host(): string {
    return new URL(this.href).host;
  }
}

/**
 * A URL from the operator's configuration, for look-ups below it: ``url`${endpoint(base)}/people/${id}` ``. Never pass
 * it a URL from an event.
 *
 * @throws {LookUpFailed} `lookup_url_refused` for anything but an http or https URL without query and fragment
 */
export function endpoint(text: string): LookUpUrl {
  const target = URL.parse(text);
  // `URL` forgets a query and a fragment that are empty.
  if (!target || !['http:', 'https:'].includes(target.protocol) || /[?#]/.test(text)) {
    throw refused('unknown', 'expected an http or https URL without query');
  }
  return new LookUpUrl(target.href.replace(/\/$/, ''));
}

/**
 * Writes a URL with values in it: ``url`https://api.example/people/${id}?role=${role}` ``. Each value is encoded
 * (RFC 3986 section 2.1), so that it can add neither a path segment nor a parameter. The scheme and the host are written
 * out, or come from an `endpoint` at the start.
 *
 * @throws {LookUpFailed} `lookup_url_refused` for a value that cannot be encoded, or that has a dot segment (RFC 3986
 *   section 3.3) such as `..` or `../admin`: URL parsers and servers resolve it even where it is encoded
 */
export function url(parts: TemplateStringsArray, ...values: (string | number | LookUpUrl)[]): LookUpUrl {
  const [first] = values;
  const startsAtEndpoint = parts[0] === '' && first instanceof LookUpUrl;
  const start = startsAtEndpoint ? first.href + parts[1] : (parts[0] as string);
  const skipped = startsAtEndpoint ? 1 : 0;
  // A value right after the host would be part of the host.
  const hostEnd = values.length > skipped ? '[/?#]' : '';
  if (!new RegExp(`^https?://[^/?#]+${hostEnd}`).test(start))
    throw refused('unknown', 'expected a URL with a literal host');
  const { host } = new URL(start);
  const href = values.slice(skipped).reduce<string>((text, value, index) => {
    if (value === '' && !text.includes('?')) throw refused(host, 'expected no empty segment in the path');
    return text + encode(value, host) + parts[index + skipped + 1];
  }, start);
  return new LookUpUrl(new URL(href).href);
}

/**
 * Follows a link from a response, such as the next page, to the same origin only.
 *
 * @param from the URL of the response
 * @param link absolute or relative
 * @throws {LookUpFailed} `lookup_url_refused` for another origin, or what is not a URL
 */
export function followLink(from: LookUpUrl, link: string): LookUpUrl {
  const target = URL.canParse(link, from.href) ? new URL(link, from.href) : null;
  if (target === null || target.origin !== new URL(from.href).origin) {
    throw refused(from.host, 'expected a link to the same origin');
  }
  return new LookUpUrl(target.href);
}

/** `.` or `..` between slashes or the ends of a text. Dots and slashes may be encoded, once or several times. */
const DOT_SEGMENT = /(?:^|[/\\]|%(?:25)*(?:2f|5c))(?:\.|%(?:25)*2e){1,2}(?:$|[/\\]|%(?:25)*(?:2f|5c))/i;

function encode(value: string | number | LookUpUrl, host: string): string {
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw refused(host, 'expected a text or a number; an endpoint only at the start');
  }
  if (DOT_SEGMENT.test(String(value)))
    throw refused(host, 'expected a value without the dot segments . and ..');
  try {
    return encodeURIComponent(value);
  } catch {
    throw refused(host, 'expected a value that is well-formed Unicode');
  }
}

function refused(host: string, problem: string): LookUpFailed {
  return new LookUpFailed('lookup_url_refused', host, null, [problem]);
}
