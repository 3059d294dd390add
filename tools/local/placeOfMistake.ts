/** Where a mapping's mistake stands: its path is followed through the source of the handler, from the call that makes the handler. */

interface Member {
  /** `[0]` in a list. */
  key: string;
  /** Where its value begins, in characters. */
  at: number;
}

const TOKEN =
  /\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|[\w$]+|[^\s\w$]/g;

/** From 1. */
interface LineAndColumn {
  line: number;
  column: number;
}

/**
 * @param call where the function is called that takes the mapping
 * @param path as a mistake begins with it, e.g. `rules[1].email_domains[0]`
 * @returns where the last part of the path is that the source writes out
 */
export function placeOfMistake(source: string, call: LineAndColumn, path: string): LineAndColumn {
  const before = source.split('\n').slice(0, call.line - 1);
  const called = before.reduce((sum, { length }) => sum + length + 1, call.column - 1);
  const opened = source.indexOf('(', called) + 1;
  let found: Member | undefined;
  let rest = path;
  for (;;) {
    const member = memberNamed(membersAt(source, found?.at ?? opened), rest);
    if (member === undefined) return found ? placeIn(source, found.at) : call;
    found = member;
    rest = rest.slice(member.key.length).replace(/^\./, '');
  }
}

function placeIn(source: string, at: number): LineAndColumn {
  const lines = source.slice(0, at).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** Keys may have dots: the longest one that the path begins with. */
function memberNamed(members: readonly Member[], path: string): Member | undefined {
  return members
    .filter(({ key }) => path.startsWith(key) && /^(?:$|[.[])/.test(path.slice(key.length)))
    .toSorted((one, other) => other.key.length - one.key.length)[0];
}

/** Of the object or list that begins here, or that the name stands for; an empty list for anything else. */
function membersAt(source: string, start: number): Member[] {
  const [first] = tokensFrom(source, start);
  const declared =
    first && new RegExp(`\\b(?:const|let) ${RegExp.escape(first.token)}\\b[^=]*=`).exec(source);
  const tokens = tokensFrom(source, declared ? declared.index + declared[0].length : start);
  const isList = tokens[0]?.token === '[';
  if (!isList && tokens[0]?.token !== '{') return [];
  const members: Member[] = [];
  let depth = 0;
  for (const [index, { token, at }] of tokens.entries()) {
    if (/^[)\]}]$/.test(token)) depth -= 1;
    if (index > 0 && depth === 0) break;
    const previous = tokens[index - 1]?.token;
    const isFirst = depth === 1 && (index === 1 || previous === ',');
    if (isFirst)
      members.push({ key: isList ? `[${members.length}]` : token.replaceAll(/^['"]|['"]$/g, ''), at });
    const member = members.at(-1);
    if (depth === 1 && previous === ':' && !isList && member) member.at = at;
    if (/^[([{]$/.test(token)) depth += 1;
  }
  return members;
}

function tokensFrom(source: string, start: number): { token: string; at: number }[] {
  return Array.from(source.slice(start).matchAll(TOKEN), ({ 0: token, index }) => ({
    token,
    at: start + index,
  })).filter(({ token }) => !/^\/[/*]/.test(token));
}
