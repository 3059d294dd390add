/** Where a text stops being JSON. `JSON.parse` says it by quoting the text, which may hold secrets. */

interface JsonMistake {
  line: number;
  column: number;
  what: string;
}

export function jsonMistake(text: string): JsonMistake | null {
  if (messageOf(text) === null) return null;
  const at = firstWrong(text);
  const lines = text.slice(0, at).split('\n');
  const what = at === text.length ? 'it ends too early' : 'unexpected text';
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, what };
}

/** The length of the longest beginning that could go on as JSON. */
function firstWrong(text: string): number {
  let [good, wrong] = [0, text.length + 1];
  while (wrong - good > 1) {
    const middle = Math.floor((good + wrong) / 2);
    if (canGoOn(text.slice(0, middle))) good = middle;
    else wrong = middle;
  }
  return good;
}

function canGoOn(text: string): boolean {
  const message = messageOf(text);
  const [, position] = / at position (\d+)/.exec(message ?? '') ?? [];
  return message === null || message === 'Unexpected end of JSON input' || Number(position) === text.length;
}

function messageOf(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
