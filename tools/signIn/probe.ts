/** A request to sign in that is sent once without a person, before the browser leaves: what the provider's page says then. */
import { quoted } from '../capture/findings.ts';
import { providerWords } from '../capture/providerWords.ts';
import type { Requests } from './openidProvider.ts';

export interface Started {
  /** To open in a browser. It is of use once, for ten minutes. */
  url: string;
  /** What the provider seems to object to, in a sentence; null for nothing. The sign-in may work all the same. */
  warning: string | null;
}

export interface Answer {
  status: number;
  /** Where it redirects to, which is not followed; null for nowhere. */
  location: string | null;
  text: string;
}

/** A provider that is slow here keeps nobody from signing in. In milliseconds. */
const TIMEOUT_MS = 5_000;

/** @returns null where it cannot be sent from here: the browser may reach what this process does not */
export async function requestWithoutPerson(
  url: string,
  { fetch, timeoutMs }: Requests,
): Promise<Answer | null> {
  try {
    const response = await fetch(url, {
      method: 'GET',
      headers: { accept: 'application/json, text/html;q=0.9' },
      redirect: 'manual',
      signal: AbortSignal.timeout(Math.min(timeoutMs, TIMEOUT_MS)),
      body: undefined,
    });
    const { status, headers } = response;
    return { status, location: headers.get('location'), text: await response.text() };
  } catch {
    return null;
  }
}

/** @param secrets texts that the page may repeat, and that are shown nowhere */
export function pageWords(html: string, secrets: readonly string[]): string {
  return quoted(providerWords(visible(html), secrets)) || 'an empty page';
}

/** For a page that may be meant for this process alone, which sends no cookies. */
export function unlessInBrowser(status: number, page: string, cure: string): string {
  return `The provider responds to the request to sign in with status ${status}: ${page}. If it does so in your browser too: ${cure}`;
}

/** In characters: what a page says comes early. */
const MAX_PAGE = 20_000;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of a page, in about one line. */
function visible(html: string): string {
  const text = shownPart(html.slice(0, MAX_PAGE))
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return text.replaceAll(/&(?:#(\d{1,5})|(amp|lt|gt|quot|apos));/g, (_, code, name = '') =>
    code ? String.fromCharCode(code) : (ENTITIES[name] ?? ''),
  );
}

/** Without the elements that show nothing. */
function shownPart(html: string): string {
  let hidden: string | null = null;
  let shown = '';
  for (const part of html.split(/(<\/?(?:script|style|head)\b[^<>]*>)/i)) {
    const [, slash, name = ''] = /^<(\/?)(script|style|head)\b/i.exec(part) ?? [];
    if (slash === undefined) shown += hidden === null ? part : ' ';
    else if (slash === '' && hidden === null) hidden = name.toLowerCase();
    else if (slash !== '' && hidden === name.toLowerCase()) hidden = null;
  }
  return shown;
}
