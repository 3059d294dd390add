import { runInThisContext } from 'node:vm';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const COMPARISON = /(\$(?:\.[A-Za-z_]\w*)+) (!?=) ("[^"]*"|-?\d+)/g;

/**
 * Whether CloudWatch Logs matches a record with a JSON filter pattern: what its documentation says of selectors, `=`, `!=` and
 * `*` at the end of a text, with `&&`, `||` and parentheses as JavaScript has them. A pattern that uses more is refused.
 */
export function filterPattern(pattern: string): (record: Json) => boolean {
  const [, body = ''] = /^\{ (.*) \}$/.exec(pattern) ?? [];
  if (!/^(?:true|&&|\|\||[() ])+$/.test(body.replaceAll(COMPARISON, 'true')))
    throw new Error(`expected a JSON pattern, found ${pattern}`);
  return (record) =>
    runInThisContext(
      body.replaceAll(COMPARISON, (_, selector: string, operator: string, wanted: string) =>
        String(holds(selected(record, selector), operator, wanted)),
      ),
    );
}

/** Only texts and numbers compare: a selector that ends at an array or an object matches nothing. */
function holds(value: Json | undefined, operator: string, wanted: string): boolean {
  const right = wanted.startsWith('"') ? wanted.slice(1, -1) : Number(wanted);
  if (operator === '!=') return ['string', 'number'].includes(typeof value) && value !== right;
  if (wanted.endsWith('*"')) return typeof value === 'string' && value.startsWith(wanted.slice(1, -2));
  return value === right;
}

/** What stands in the record at a selector such as `$.message.reason`. */
function selected(record: Json, selector: string): Json | undefined {
  const steps = selector.split('.').slice(1);
  return steps.reduce<Json | undefined>(
    (value, step) => (typeof value === 'object' && !Array.isArray(value) ? value?.[step] : undefined),
    record,
  );
}
