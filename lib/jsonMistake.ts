/**
 * Where a text that is not JSON stops being it. `JSON.parse` says it by quoting the text, which may hold secrets.
 *
 * @returns the line, the column and what is wrong there, e.g. `1:7: expected JSON: unexpected text`
 */
export function jsonMistake(text: string): string {
  // The length of the longest beginning that could go on as JSON. Most large texts are cut, and searched no further.
  let [good, wrong] = canGoOn(text) ? [text.length, text.length + 1] : [0, text.length];
  while (wrong - good > 1) {
    const middle = Math.floor((good + wrong) / 2);
    if (canGoOn(text.slice(0, middle))) good = middle;
    else wrong = middle;
  }
  const lines = text.slice(0, good).split('\n');
  const what = good === text.length ? 'it ends too early' : 'unexpected text';
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}: expected JSON: ${what}`;
}

function canGoOn(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const [, position] = / at position (\d+)/.exec(message) ?? [];
    return message === 'Unexpected end of JSON input' || Number(position) === beginning.length;
  }
}
