/** Whom a policy lets in: accounts, roles and users by name, and people of whom a provider says who they are. */
import {
  isMap,
  listOf,
  mapOf,
  type Resource,
  type Resources,
  referredTo,
  textOf,
  type Values,
} from './template.ts';

const ACCOUNT = /^(\d{12}|\$\{AWS::AccountId\})$/;
const IDENTITY =
  /^arn:(?:aws[a-z-]*|\$\{AWS::Partition\}):(?:iam|sts)::(?:\d{12}|\$\{AWS::AccountId\}):(?:root|user\/(?:[\w+=,.@/-]|\$\{AWS::\w+\})+|(?:assumed-role|role)\/((?:[\w+=,.@/-]|\$\{AWS::\w+\})+))$/;
/** Services that run nothing but code of the account's own under a role that they assume. */
const RUNS_OWN_CODE =
  /^(lambda|ecs-tasks|ec2|pods\.eks|tasks\.apprunner|codebuild)\.(amazonaws\.com(\.cn)?|\$\{AWS::URLSuffix\})$/;
const ROLES_ANYWHERE = 'rolesanywhere.amazonaws.com';
const OIDC_PROVIDER = /^arn:[^:]+:iam::(?:\d{12}|\$\{AWS::AccountId\}):oidc-provider\/[^*?]+$/;
const SAML_PROVIDER = /^arn:[^:]+:iam::(?:\d{12}|\$\{AWS::AccountId\}):saml-provider\/[^*?]+$/;
const GOOGLE = 'accounts.google.com';

/** The condition keys of which one must say who calls. An OIDC provider may serve the whole world, as GitHub's does. */
const DEMANDED_KEY = { oidc: /:sub$/i, saml: /^saml:aud$/i, certificate: /^aws:PrincipalTag\/x509/i };
/** Operators that match where the key is there and has one of the values: without `ForAllValues:` and `IfExists`. */
const MATCHES = /^(?:ForAnyValue:)?(?:String|Arn)(?:Equals|Like)$/;
/** A pattern without wildcards, or with two whole parts before the first: `repo:owner/*`, and not `repo:*`. */
const NARROW = /^([^*?]+|[^*?:/]+[:/][^*?:/]+[:/].*)$/;

/** The elements that are read. Any other, such as `NotAction` or `action`, may say something else. */
const OF_POLICY = ['Id', 'Statement', 'Version'];
const OF_STATEMENT = ['Action', 'Condition', 'Effect', 'Principal', 'Resource', 'Sid'];

/** @returns the statements of a policy that allow; undefined for each that does not plainly say whom, what and where */
export function allowing(policy: unknown): (Values | undefined)[] {
  if (!isMap(policy) || !hasOnly(OF_POLICY, policy)) return [undefined];
  const statements = Array.isArray(policy.Statement) ? policy.Statement : [policy.Statement];
  return statements
    .filter((statement) => !isMap(statement) || statement.Effect !== 'Deny')
    .map((statement) => (isMap(statement) && hasOnly(OF_STATEMENT, statement) ? statement : undefined));
}

function hasOnly(names: readonly string[], values: Values): boolean {
  return Object.keys(values).every((name) => names.includes(name));
}

/**
 * Whether a principal is an account, a user or a role by name; a role of this template only where its own trust policy
 * says as plainly who assumes it.
 *
 * @param seen ids of roles that are being looked at: roles may trust each other
 */
export function isIdentity(
  value: unknown,
  resources: Resources,
  seen: ReadonlySet<string> = new Set(),
): boolean {
  const isPlain = ([id, role]: [string, Resource]) =>
    seen.has(id) || isTrustPlain(role, resources, new Set([...seen, id]));
  const here = referredTo(value, resources, {
    types: ['AWS::IAM::Role', 'AWS::IAM::User'],
    attribute: 'Arn',
  });
  if (here !== undefined) return here.resource.type === 'AWS::IAM::User' || isPlain([here.id, here.resource]);
  const text = textOf(value, resources) ?? '';
  if (ACCOUNT.test(text)) return true;
  const [, path = ''] = IDENTITY.exec(text) ?? [];
  return IDENTITY.test(text) && rolesNamed(path.split('/').filter(Boolean), resources).every(isPlain);
}

/** Roles of this template that may have one of these names. */
export function rolesNamed(names: readonly string[], resources: Resources): [string, Resource][] {
  return [...resources].filter(([id, { type, properties }]) => {
    if (type !== 'AWS::IAM::Role') return false;
    const own = textOf(properties.RoleName, resources);
    const mayBe = (name: string) => patternOf(own).test(name) || patternOf(name).test(own ?? '');
    // CloudFormation puts the logical id into a name that it makes up.
    return names.some((name) => (properties.RoleName === undefined ? name.includes(id) : mayBe(name)));
  });
}

/** What a name may be of which CloudFormation fills in a part. IAM does not tell upper case from lower. */
function patternOf(name: string | undefined): RegExp {
  const literals = name?.split(/\$\{[^}]*\}/) ?? ['', ''];
  return new RegExp(`^${literals.map((literal) => RegExp.escape(literal)).join('.*')}$`, 'i');
}

/** Whether a role says plainly who assumes it, and lets no stranger do so. */
export function isTrustPlain(
  { properties }: Resource,
  resources: Resources,
  seen: ReadonlySet<string> = new Set(),
): boolean {
  return allowing(properties.AssumeRolePolicyDocument).every((statement) => {
    const { Principal, Condition } = statement ?? {};
    if (!isMap(Principal)) return false;
    const { AWS, Service, Federated, ...more } = Principal;
    return (
      Object.keys(more).length === 0 &&
      listOf(AWS).every((one) => isIdentity(one, resources, seen)) &&
      listOf(Service).every((one) => runsOwnCode(one, Condition, resources)) &&
      listOf(Federated).every((one) => isDemanded(kindOfProvider(one, resources), Condition, resources))
    );
  });
}

function runsOwnCode(service: unknown, condition: unknown, resources: Resources): boolean {
  if (service === ROLES_ANYWHERE) return isDemanded('certificate', condition, resources);
  return RUNS_OWN_CODE.test(textOf(service, resources) ?? '');
}

/** Of identity pools, guests have a `sub` too: they are of no kind. */
function kindOfProvider(provider: unknown, resources: Resources): keyof typeof DEMANDED_KEY | undefined {
  if (provider === GOOGLE) return 'oidc';
  const text = textOf(provider, resources) ?? '';
  const [, id = ''] = /^\$\{(\w+)(?:\.Arn)?\}$/.exec(text) ?? [];
  const { type = '' } = resources.get(id) ?? {};
  if (type === 'AWS::IAM::OIDCProvider' || OIDC_PROVIDER.test(text)) return 'oidc';
  return type === 'AWS::IAM::SAMLProvider' || SAML_PROVIDER.test(text) ? 'saml' : undefined;
}

function isDemanded(
  kind: keyof typeof DEMANDED_KEY | undefined,
  condition: unknown,
  resources: Resources,
): boolean {
  if (kind === undefined) return false;
  return Object.entries(mapOf(condition)).some(([operator, keys]) => {
    if (!MATCHES.test(operator)) return false;
    return Object.entries(mapOf(keys)).some(([key, value]) => {
      const texts = listOf(value).map((one) => textOf(one, resources) ?? '');
      return DEMANDED_KEY[kind].test(key) && texts.length > 0 && texts.every((text) => NARROW.test(text));
    });
  });
}
