/** The form of a sign-in, and what of it a reload keeps: the provider's refusal comes back to an empty page. */
import type { OpenIdSignIn, Registration, SamlSignIn } from '../../api.ts';
import { bodySize, MAX_BODY_BYTES, sizeText } from '../paste/size.ts';

/** What is chosen or typed; every value is a text. */
export interface Draft {
  protocol: 'openid' | 'saml';
  /** Whose steps are shown, by its name in the registration; empty for none. */
  provider: string;
  issuer: string;
  clientId: string;
  secretFrom: 'typed' | 'named' | 'none';
  clientSecret: string;
  /** In `SECRETS_FILE`. */
  secretName: string;
  /** Apart by spaces. */
  scopes: string;
  metadataFrom: 'address' | 'text';
  metadataUrl: string;
  /** XML. */
  metadata: string;
  /** Of the provider in a federation's metadata. */
  entityId: string;
}

export const EMPTY: Draft = {
  protocol: 'openid',
  provider: '',
  issuer: '',
  clientId: '',
  secretFrom: 'typed',
  clientSecret: '',
  secretName: '',
  scopes: 'openid email profile',
  metadataFrom: 'address',
  metadataUrl: '',
  metadata: '',
  entityId: '',
};

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  protocol: ['openid', 'saml'],
  secretFrom: ['typed', 'named', 'none'],
  metadataFrom: ['address', 'text'],
};

/** In characters. A browser stores some five million of a site, and the metadata of a federation has more. */
const MAX_STORED_METADATA = 500_000;

/** The draft as the tab stores it: without the secret, and without metadata that is too long. */
export function storedText(draft: Draft): string {
  const { clientSecret, metadata, ...kept } = draft;
  return JSON.stringify(metadata.length > MAX_STORED_METADATA ? kept : { ...kept, metadata });
}

/** @param text as `storedText` made it, now or in an earlier version of the page; null where nothing is stored */
export function draftOf(text: string | null): Draft {
  const given = recordOf(text);
  const entries = Object.entries(EMPTY).map(([name, standard]) => [
    name,
    isUsable(name, given[name]) ? given[name] : standard,
  ]);
  return Object.fromEntries(entries) as Draft;
}

function recordOf(text: string | null): Record<string, unknown> {
  try {
    return Object(JSON.parse(text ?? '{}')) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function isUsable(name: string, value: unknown): boolean {
  return typeof value === 'string' && (CHOICES[name]?.includes(value) ?? true);
}

/** The draft without choices that this start of the studio does not offer. */
export function offered(
  draft: Draft,
  { protocols, secretNames }: Pick<Registration, 'protocols' | 'secretNames'>,
): Draft {
  const protocol = protocols.find((one) => one === draft.protocol) ?? protocols[0] ?? draft.protocol;
  if (draft.secretFrom === 'named' && secretNames.length === 0)
    return { ...draft, protocol, secretFrom: 'typed' };
  return { ...draft, protocol, ...(!secretNames.includes(draft.secretName) && { secretName: '' }) };
}

/** Whether both start the same sign-in; the steps that are shown do not matter. */
export function startsAlike(one: Draft, other: Draft): boolean {
  const names = Object.keys(EMPTY) as (keyof Draft)[];
  return names.every((name) => name === 'provider' || one[name] === other[name]);
}

/** Whether everything that the provider must be told is there. */
export function isComplete(draft: Draft): boolean {
  if (draft.protocol === 'saml')
    return draft[draft.metadataFrom === 'text' ? 'metadata' : 'metadataUrl'].trim() !== '';
  const isSecretThere = { typed: draft.clientSecret !== '', named: draft.secretName !== '', none: true };
  return draft.issuer.trim() !== '' && draft.clientId.trim() !== '' && isSecretThere[draft.secretFrom];
}

/** What `POST /api/sign-in/<protocol>` takes. */
export function bodyOf(draft: Draft, somebodyElse = false): OpenIdSignIn | SamlSignIn {
  const body = draft.protocol === 'openid' ? openIdBody(draft) : samlBody(draft);
  return somebodyElse ? { ...body, somebodyElse } : body;
}

function openIdBody({ issuer, clientId, secretFrom, clientSecret, secretName, scopes }: Draft): OpenIdSignIn {
  return {
    issuer: issuer.trim(),
    clientId: clientId.trim(),
    ...(secretFrom === 'typed' && { clientSecret }),
    ...(secretFrom === 'named' && { secretName }),
    ...(scopes.trim() !== '' && { scopes: scopes.trim() }),
  };
}

function samlBody({ metadataFrom, metadataUrl, metadata, entityId }: Draft): SamlSignIn {
  return {
    ...(metadataFrom === 'text' ? { metadata } : { metadataUrl: metadataUrl.trim() }),
    ...(entityId.trim() !== '' && { entityId: entityId.trim() }),
  };
}

/** @returns why the server would not take it; null where it does */
export function sizeProblem(body: OpenIdSignIn | SamlSignIn): string | null {
  const size = bodySize(body);
  if (size <= MAX_BODY_BYTES) return null;
  return `The metadata is ${sizeText(size)}, and the studio takes ${sizeText(MAX_BODY_BYTES)}. Give its address, or only the metadata of your provider.`;
}
