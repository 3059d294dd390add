import { isDeeperThan } from '../local/httpEvent.ts';

/** HAR files and events nest some ten levels. */
export const MAX_DEPTH = 100;

/** @returns undefined where the text is no JSON, or is nested deeper than real JSON is: whatever reads it may be recursive */
export function jsonIn(text: string): unknown {
  try {
    const json = JSON.parse(text);
    return isDeeperThan(json, MAX_DEPTH) ? undefined : json;
  } catch {
    return undefined;
  }
}
