/**
 * What a value of a CloudFormation template says, as one text: literals as they are, `Ref` and `Fn::GetAtt` as
 * `${LogicalId}` and `${LogicalId.Attribute}`, `Fn::Join` and `Fn::Sub` put together. A part that the template does not
 * say (a parameter, an import, a condition) is HIDDEN, followed by all that it may be.
 */
const HIDDEN = `\${?}`;
/** Values that CloudFormation, or API Gateway for each request, fills in: the last is a parameter in the path of a URI. */
const FILLED_IN_LATER = /\{\{resolve:|\$\{stageVariables\.|:lambda:path\/\S*(?<!\$)\{/;
const PLACEHOLDER = /\$\{([^}]*)\}/g;

const INTRINSICS = {
  Ref: (name, template) => {
    const parameter = template.Parameters?.[name];
    return parameter === undefined ? `\${${name}}` : HIDDEN + textOf(parameter.Default, template);
  },
  'Fn::GetAtt': (argument, template) => {
    const path = [argument].flat();
    return path.every(isLiteral) ? `\${${path.join('.')}}` : hidden(argument, template);
  },
  'Fn::Join': (argument, template) => {
    const [separator, parts] = [argument].flat(1);
    if (!isLiteral(separator) || !Array.isArray(parts)) return hidden(argument, template);
    return parts.map((part) => textOf(part, template)).join(separator);
  },
  'Fn::Sub': (argument, template) => {
    const [text, variables = {}] = [argument].flat();
    if (!isLiteral(text) || !isMap(variables)) return hidden(argument, template);
    return text.replace(PLACEHOLDER, (whole, name) => {
      if (name.startsWith('!')) return `\${${name.slice(1)}}`;
      if (Object.hasOwn(variables, name)) return textOf(variables[name], template);
      return name in (template.Parameters ?? {}) ? INTRINSICS.Ref(name, template) : whole;
    });
  },
  'Fn::FindInMap': (argument, template) => hidden([argument, template.Mappings], template),
};

/** @returns the text; a list or a map as the texts of its entries, spaces between them */
function textOf(value, template) {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map((item) => textOf(item, template)).join(' ');
  const intrinsic = intrinsicOf(value);
  if (intrinsic === null) {
    return Object.entries(value)
      .map(([key, item]) => `${key} ${textOf(item, template)}`)
      .join(' ');
  }
  return (INTRINSICS[intrinsic] ?? hidden)(value[intrinsic], template);
}

function hidden(argument, template) {
  return `${HIDDEN} ${textOf(argument, template)}`;
}

/** The name of the intrinsic function that a value is, or null. */
function intrinsicOf(value) {
  const [name = '', ...more] = Object.keys(value ?? {});
  return more.length === 0 && (name === 'Ref' || name.startsWith('Fn::')) ? name : null;
}

/** Whether a text leaves open what it will be. */
function isHidden(text) {
  return text.includes(HIDDEN) || FILLED_IN_LATER.test(text);
}

function isLiteral(value) {
  return typeof value === 'string';
}

/** A map that is written out: no text, list or intrinsic function in its place. */
function isMap(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && intrinsicOf(value) === null;
}

module.exports = { PLACEHOLDER, intrinsicOf, isHidden, isLiteral, isMap, textOf };
