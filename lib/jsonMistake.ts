/**
 * Where a text that is not JSON stops being it. `JSON.parse` says it by quoting the text, which may hold secrets.
 *
 * @returns the line, the column and what is wrong there, e.g. `1:7: expected JSON: unexpected text`
 */
export function jsonMistake(text: string): string {
  // The length of the longest beginning that could go on as JSON. Most large texts are cut, and searched no further.
  let good = canGoOn(text) ? text.length : 0;
  let wrong = text.length + 1;
  while (wrong - good > 1) {
    const middle = Math.floor((good + wrong) / 2);
    if (canGoOn(text.slice(0, middle))) good = middle;
    else wrong = middle;
  }
  const beginning = text.slice(0, good);
  const line = beginning.split('\n').length;
  const column = good - beginning.lastIndexOf('\n');
  const what = good === text.length ? 'it ends too early' : 'unexpected text';
  return `${line}:${column}: expected JSON: ${what}`;
}

function canGoOn(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const position = / at position (\d+)/.exec(message)?.[1];
    return message === 'Unexpected end of JSON input' || Number(position) === beginning.length;
  }
}
