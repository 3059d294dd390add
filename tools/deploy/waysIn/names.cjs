/** Where a text has the name of a function, of which CloudFormation may fill in a part. */
const { PLACEHOLDER } = require('./text.cjs');

/** In a text: may become any word, may be the name of a resource, cannot be part of the name of a function. */
const [ANYTHING, RESOURCE, NO_NAME] = ['\ue000', '\ue001', '\ue002'];
/** What the name of a function follows in the name of its log group, which calls nothing. */
const LOG_GROUP = '/aws/lambda/';

/**
 * Where a text names a function: each time, what follows the name.
 *
 * @param isPlace whether the text stands in the place of a function, so that what refers to a resource or a parameter may
 *   be part of its name; else it may be that within an ARN alone
 */
function occurrences(text, name, isPlace) {
  const [wanted, searched] = [filledIn(name), filledIn(text)];
  const literal = (word) => word.replaceAll(ANYTHING, '').replaceAll(RESOURCE, '');
  if (literal(wanted) === '') return [];
  const found = [...searched.matchAll(/[\w\ue000-\ue002-]+/g)].filter(({ 0: word, index }) => {
    const before = searched.slice(Math.max(0, index - LOG_GROUP.length), index);
    if (before === LOG_GROUP) return false;
    if (literal(word) === literal(wanted)) return true;
    const isFunction = isPlace || /\bfunctions?[:/]$/.test(before);
    return mayBe(isFunction ? word.replaceAll(RESOURCE, ANYTHING) : word, wanted);
  });
  return found.map(({ 0: word, index }) => searched.slice(index + word.length));
}

/** AWS's own parameters but the name of the stack are no part of a name: an account, a region. */
function filledIn(text) {
  return text.replaceAll(PLACEHOLDER, (_, path) => {
    if (path === 'AWS::StackName') return ANYTHING;
    return path.startsWith('AWS::') ? NO_NAME : RESOURCE;
  });
}

/** Whether a word of which a part is filled in later may become this name. */
function mayBe(word, name) {
  const parts = word.split(ANYTHING);
  if (parts.length === 1 || parts.every((part) => part === '')) return false;
  return (
    name.startsWith(parts[0]) && name.endsWith(parts.at(-1)) && parts.every((part) => name.includes(part))
  );
}

module.exports = { occurrences };
