import type { EventKey } from './eventNodes.ts';

/** E.g. `idToken.otherClaims["a b"][0]`. */
export function pathText(path: readonly EventKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${text}[${JSON.stringify(key)}]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');
}
