/**
 * Whether CloudWatch Logs matches a record with a JSON filter pattern: what its documentation says of selectors, `=`, `!=`,
 * `*` at the end of a text, `&&`, `||` and parentheses. A pattern that uses more is refused.
 */
type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Match = (record: Json) => boolean;

const TOKEN = /\s*(&&|\|\||[()]|!=|=|"[^"]*"|\$(?:\.[A-Za-z_]\w*)+|-?\d+)/y;

export function filterPattern(pattern: string): Match {
  const [, body] = /^\{ (.*) \}$/.exec(pattern) ?? [];
  if (body === undefined) throw new Error(`expected a JSON pattern, found ${pattern}`);
  const tokens = tokensOf(body);
  const match = eitherOf(tokens);
  if (tokens.length > 0) throw new Error(`expected the end, found ${tokens[0]}`);
  return match;
}

function tokensOf(body: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < body.length) {
    const at = TOKEN.lastIndex;
    const [, token] = TOKEN.exec(body) ?? [];
    if (token === undefined) throw new Error(`expected a part of a pattern, found ${body.slice(at)}`);
    tokens.push(token);
  }
  return tokens;
}

function eitherOf(tokens: string[]): Match {
  const matches = [allOf(tokens)];
  while (tokens[0] === '||' && tokens.shift()) matches.push(allOf(tokens));
  return (record) => matches.some((match) => match(record));
}

function allOf(tokens: string[]): Match {
  const matches = [oneOf(tokens)];
  while (tokens[0] === '&&' && tokens.shift()) matches.push(oneOf(tokens));
  return (record) => matches.every((match) => match(record));
}

function oneOf(tokens: string[]): Match {
  if (tokens[0] === '(') {
    tokens.shift();
    const match = eitherOf(tokens);
    if (tokens.shift() !== ')') throw new Error('expected )');
    return match;
  }
  const selector = tokens.shift() ?? '';
  const operator = tokens.shift() ?? '';
  const holds = comparison(operator, tokens.shift());
  return (record) => selected(record, selector).some(holds);
}

/** Only texts and numbers compare: a selector that ends at an array or an object matches nothing. */
function comparison(operator: string, wanted = ''): (value: Json) => boolean {
  const isText = wanted.startsWith('"');
  const right = isText ? wanted.slice(1, -1) : Number(wanted);
  const isComparable = (value: Json) => ['string', 'number'].includes(typeof value);
  if (operator === '=' && isText && wanted.endsWith('*"')) {
    return (value) => typeof value === 'string' && value.startsWith(wanted.slice(1, -2));
  }
  if (operator === '=') return (value) => value === right;
  if (operator === '!=') return (value) => isComparable(value) && value !== right;
  throw new Error(`expected an operator, found ${operator} ${wanted}`);
}

/** What stands in the record at a selector such as `$.message.reason`. */
function selected(record: Json, selector: string): Json[] {
  const steps = selector.split('.').slice(1);
  return steps.reduce<Json[]>((values, step) => values.flatMap((value) => stepInto(value, step)), [record]);
}

function stepInto(value: Json, name: string): Json[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return value[name] === undefined ? [] : [value[name]];
}
