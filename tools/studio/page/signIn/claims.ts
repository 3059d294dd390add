/** Which claims come with the ID token, and which with UserInfo: the event has those of the ID token. */
import type { SignInResult } from '../../api.ts';
import type { Word } from '../words.ts';

type Claim = SignInResult['claims'][number];

const DIFFERS: Word = { word: 'differs', tone: 'stopped' };
const NOT_IN_EVENT: Word = { word: 'not in the event', tone: 'stopped' };
const SAME: Word = { word: 'the same', tone: 'good' };
const ALONE: Word = { word: 'ID token only', tone: 'none' };
/** What asks for attention is first. */
const ORDER = [DIFFERS, NOT_IN_EVENT, SAME, ALONE];

/** How the two have a claim. */
export function claimWord({ idToken, userInfo, isSame }: Claim): Word {
  if (!idToken) return NOT_IN_EVENT;
  if (!userInfo) return ALONE;
  return isSame ? SAME : DIFFERS;
}

export function attentionFirst(claims: readonly Claim[]): Claim[] {
  const rank = (claim: Claim) => ORDER.indexOf(claimWord(claim));
  return claims.toSorted((one, other) => rank(one) - rank(other));
}
