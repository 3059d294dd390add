/** Judges a finished CloudFormation template: whether every way in to a login function is guarded. */
const { FORMS_OF } = require('./forms.cjs');
const { functionsIn } = require('./places.cjs');
const { UNKNOWN_FUNCTION, functionsOf, reachIn } = require('./reach.cjs');
const { HARMLESS, HIDES_OTHERS, WAYS_IN } = require('./table.cjs');
const { isLiteral, isMap } = require('./text.cjs');

const WAY_IN_OF = Object.fromEntries(
  Object.entries(WAYS_IN).flatMap((entry) => entry[1].types.map((type) => [type, entry])),
);

/** They may bring routes, or rights, that name no function of this template. */
const MAY_HIDE_WAYS_IN = ['AWS::ApiGatewayV2::Api', 'AWS::ApiGateway::RestApi', 'AWS::IAM::Role'];

/**
 * A closed world: what refers to a login function, a version or an alias of it, directly or through an integration, a
 * target group or a listener, is harmless, is a way in of a form that is allowed, or is a problem.
 *
 * @param template as it is uploaded
 * @param functions the logical ids of functions that are login functions, whatever the template says
 * @param guardedElsewhere by logical id, the reason why a way in is guarded by something that the template does not show
 * @returns the problems, each `{ id, form, text }`, and the ways in that `guardedElsewhere` exempts, each `{ id, reason }`
 */
function judge(template, { guardedElsewhere = {}, functions = [] } = {}) {
  const whole = withoutNull(template);
  const { login, others } = functionsOf(whole);
  const context = { template: whole, reachOf: reachIn(whole, login), others };
  const hidden = Object.keys(whole).filter((name) => name !== 'Resources' && hidesContent(name, whole[name]));
  const wrapped = functions.filter((id) => !login.has(id));
  const found = [
    ...hidden.map((id) => problem(id, 'other', 'hidden content')),
    ...wrapped.map((id) => problem(id, 'other', 'wrapped handler')),
    ...Object.entries(whole.Resources).flatMap(([id, resource]) => problemsOf(id, resource, context)),
  ];
  const isExempt = ({ id }) => Object.hasOwn(guardedElsewhere, id);
  const exempt = new Set(found.filter(isExempt).map(({ id }) => id));
  return {
    problems: found.filter((one) => !isExempt(one)),
    guarded: [...exempt].map((id) => ({ id, reason: guardedElsewhere[id] })),
  };
}

/** What JSON says of a template, and nothing where it says null, which CloudFormation refuses. */
function withoutNull(template) {
  const withoutHoles = (_, value) => (Array.isArray(value) ? Array.from(value) : (value ?? undefined));
  const { Resources = {}, ...sections } = JSON.parse(JSON.stringify(template), withoutHoles);
  const resources = Object.entries(Resources).map(([id, resource]) => {
    const { Properties = {}, ...attributes } = isMap(resource) ? resource : {};
    return [id, { ...attributes, Properties }];
  });
  return { ...sections, Resources: Object.fromEntries(resources) };
}

function hidesContent(name, section) {
  return name === 'Transform' || hasTransform(section);
}

function hasTransform(value) {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, item]) => /^Fn::(Transform|ForEach)/.test(key) || hasTransform(item),
  );
}

function problemsOf(id, resource, context) {
  const { Type, Properties } = resource;
  const isHidden =
    !isLiteral(Type) || HIDES_OTHERS.test(Type) || hasTransform(resource) || !isMap(Properties);
  if (isHidden) return [problem(id, 'other', 'hidden content')];
  if (context.others.has(id)) return [problem(id, 'other', 'another function of this code')];
  if (Object.hasOwn(FORMS_OF, Type)) return problemsOfWayIn(id, resource, context);
  const { unless = [] } = Object.hasOwn(HARMLESS, Type) ? HARMLESS[Type] : {};
  const judged = Object.hasOwn(HARMLESS, Type) ? unless.map((name) => Properties[name]) : Properties;
  const inPlace = context.reachOf(functionsIn(resource), { namesAFunction: true });
  const reach = context.reachOf(judged).addAll(inPlace);
  return reach.size > 0 ? [problem(id, 'other', 'unknown kind', reach)] : [];
}

function problemsOfWayIn(id, { Type, Properties = {} }, { template, reachOf }) {
  const { forms } = FORMS_OF[Type];
  const reach = reachOfWayIn(id, { Type, Properties }, { template, reachOf });
  const isReached = reach.size > 0;
  if (!isReached && !MAY_HIDE_WAYS_IN.includes(Type)) return [];
  const found = forms(Properties, {
    template,
    id,
    isReached,
    mentions: (value) => reachOf(value).size > 0,
    reaches: (value) => reachOf(value, { namesAFunction: true }).size > 0,
    isBehindRule: () => isBehindRule(reach, { template, reachOf }),
  });
  if (found.length === 0) return isReached ? [problem(id, 'other', 'unknown kind')] : [];
  const [kind, { forms: table }] = WAY_IN_OF[Type];
  return [...new Set(found)]
    .filter((form) => !isAllowed(table[form], reach))
    .map((form) => problem(id, kind, form, reach));
}

function reachOfWayIn(id, { Type, Properties = {} }, { template, reachOf }) {
  const { place, mentions } = FORMS_OF[Type];
  const inPlace = reachOf(place?.(Properties, { template, id }), { namesAFunction: true });
  return reachOf(mentions?.(Properties, { template, id })).addAll(inPlace);
}

/** Whether listeners of this template forward to each of these functions: these are judged as ways in of their own. */
function isBehindRule(reach, { template, reachOf }) {
  const balanced = Object.entries(template.Resources)
    .filter(([, { Type }]) => WAYS_IN.loadBalancer.types.includes(Type))
    .map(([id, resource]) => reachOfWayIn(id, resource, { template, reachOf }));
  return [...reach.keys()].every((functionId) => balanced.some((other) => other.has(functionId)));
}

function isAllowed({ allowed }, reach) {
  return allowed === 'always' || (allowed === 'signature' && reach.isSigned);
}

function problem(id, kind, form, reach) {
  const { name, forms, instead } = WAYS_IN[kind];
  const { says, instead: better = instead } = forms[form];
  const which = reach?.has(UNKNOWN_FUNCTION) ? ', and which function it calls cannot be read' : '';
  return { id, form, text: `${id}: ${name} that ${says}${which}. Write ${better}.` };
}

/**
 * What is wrong with the list itself: an entry that exempts nothing hides what it once stood for.
 *
 * @param guarded what the list exempts in a template, or null where a template need not have all of it
 */
function problemsOfExemptions(guardedElsewhere, guarded) {
  if (!isMap(guardedElsewhere)) return ['custom.loginHooks.guardedElsewhere: expected {LogicalId: reason}'];
  return Object.entries(guardedElsewhere).flatMap(([id, reason]) => {
    const entry = `custom.loginHooks.guardedElsewhere.${id}`;
    if (!isLiteral(reason) || reason.trim() === '') return [`${entry}: expected the reason, as text`];
    if (guarded === null || guarded.some((one) => one.id === id)) return [];
    return [`${entry}: nothing of this name needs an exemption. Take the entry out.`];
  });
}

module.exports = { judge, problemsOfExemptions };
