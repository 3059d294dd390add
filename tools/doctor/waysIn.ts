/** Ways to a login function that the deployed template does not have, or that it has otherwise, or that are gone. */
import {
  type AliasConfiguration,
  GetPolicyCommand,
  type LambdaClient,
  paginateListAliases,
  paginateListEventSourceMappings,
  paginateListFunctionEventInvokeConfigs,
  paginateListFunctionUrlConfigs,
} from '@aws-sdk/client-lambda';
import { mapOf, type Values } from '../deploy/waysIn/template.ts';
import type { Aws } from './aws.ts';
import { differences, type ExpectedWay, type Kind, type Way } from './differences.ts';
import { type DoctorFinding, note } from './examination.ts';
import { expectedPermissions, permissionsIn } from './permissions.ts';
import type { LoginFunction, Stack } from './stack.ts';

export async function waysIn(aws: Aws, stack: Stack, fn: LoginFunction): Promise<DoctorFinding[]> {
  const aliases = await aliasesOf(aws, fn);
  const found = await Promise.all([
    ofAliases(stack, fn, aliases ?? []),
    ofPermissions(aws, stack, fn, aliases ?? []),
    ...[URLS, EVENT_SOURCES, DESTINATIONS].map((listed) => ofListed(aws, stack, fn, listed)),
  ]);
  return found.flat();
}

function aliasesOf(aws: Aws, { name: FunctionName }: LoginFunction) {
  return aws.ask('lambda:ListAliases', FunctionName, () =>
    all(paginateListAliases({ client: aws.functions }, { FunctionName }), ({ Aliases }) => Aliases),
  );
}

/** The guide makes one by hand, to release to some logins first: it serves the version that it names until it is moved. */
function ofAliases(
  stack: Stack,
  { name }: LoginFunction,
  aliases: readonly AliasConfiguration[],
): DoctorFinding[] {
  const expected = stack.ofType('AWS::Lambda::Alias').map(({ properties }) => stack.made(properties.Name));
  return aliases
    .filter(({ Name = '' }) => !expected.some((one) => one.test(Name)))
    .map(({ Name, FunctionVersion }) =>
      note(
        'alias_added',
        name,
        `the alias ${Name} is not in the deployed template, and serves version ${FunctionVersion} with the settings of then`,
        'move it to the version of the last deployment, or remove it with aws lambda delete-alias',
      ),
    );
}

async function ofPermissions(
  aws: Aws,
  stack: Stack,
  fn: LoginFunction,
  aliases: readonly AliasConfiguration[],
): Promise<DoctorFinding[]> {
  const qualifiers = [undefined, ...aliases.map(({ Name }) => Name)];
  const policies = await Promise.all(
    qualifiers.map((Qualifier) =>
      aws.ask('lambda:GetPolicy', fn.name, () =>
        aws.functions.send(new GetPolicyCommand({ FunctionName: fn.name, Qualifier })),
      ),
    ),
  );
  if (policies.includes(null)) return [];
  // A function and its alias may have the same.
  const keys = new Set(policies.flatMap((policy) => permissionsIn(policy?.Policy ?? '{}')));
  const kind = {
    ...{ added: 'permission_added', missing: 'permission_missing' },
    what: 'the permission of',
    remove: 'remove its statement with aws lambda remove-permission',
  };
  const found = Array.from(keys, (key) => ({ key }));
  return differences(fn.name, kind, found, expectedPermissions(stack, fn));
}

/** What Lambda lists of a function, and the resources of a template that make it. */
interface Listed {
  /** The action that lists it. */
  right: string;
  ways(client: { client: LambdaClient }, of: { FunctionName: string }): Promise<Way[]>;
  /** Of the resources. */
  type: string;
  expected(properties: Values, id: string, stack: Stack, fn: LoginFunction): ExpectedWay[];
  kind: Kind;
}

const URLS: Listed = {
  right: 'lambda:ListFunctionUrlConfigs',
  async ways(client, of) {
    const urls = await all(paginateListFunctionUrlConfigs(client, of), (page) => page.FunctionUrlConfigs);
    return urls.map(({ FunctionArn: key = '', AuthType: guard = '' }) => ({ key, guard }));
  },
  type: 'AWS::Lambda::Url',
  expected: ({ AuthType }, _id, stack, { name }) => [
    { key: new RegExp(`:function:${name}(?::|$)`), guard: stack.made(AuthType), text: name },
  ],
  kind: {
    ...{ added: 'function_url_added', edited: 'function_url_edited', missing: 'function_url_missing' },
    what: 'the URL of',
    remove: 'remove it with aws lambda delete-function-url-config',
  },
};

const EVENT_SOURCES: Listed = {
  right: 'lambda:ListEventSourceMappings',
  async ways(client, of) {
    const sources = await all(
      paginateListEventSourceMappings(client, of),
      (page) => page.EventSourceMappings,
    );
    return sources.map(({ EventSourceArn, UUID = '' }) => ({ key: EventSourceArn ?? UUID }));
  },
  type: 'AWS::Lambda::EventSourceMapping',
  expected: ({ EventSourceArn }, text, stack) => [{ key: stack.made(EventSourceArn), text }],
  kind: {
    ...{ added: 'event_source_added', missing: 'event_source_missing' },
    what: 'the event source',
    remove: 'remove it with aws lambda delete-event-source-mapping',
  },
};

/** Where Lambda sends the events and the responses of asynchronous logins. */
const DESTINATIONS: Listed = {
  right: 'lambda:ListFunctionEventInvokeConfigs',
  async ways(client, of) {
    const pages = paginateListFunctionEventInvokeConfigs(client, of);
    const configs = await all(pages, (page) => page.FunctionEventInvokeConfigs);
    const ends = configs.flatMap(({ DestinationConfig: to }) => [to?.OnSuccess, to?.OnFailure]);
    return ends.flatMap((end) => (end?.Destination ? { key: end.Destination } : []));
  },
  type: 'AWS::Lambda::EventInvokeConfig',
  expected: ({ DestinationConfig }, text, stack) =>
    Object.values(mapOf(DestinationConfig)).map((end) => ({ key: stack.made(mapOf(end).Destination), text })),
  kind: {
    ...{ added: 'destination_added', missing: 'destination_missing' },
    what: 'the destination',
    remove: 'remove it with aws lambda delete-function-event-invoke-config',
  },
};

async function ofListed(
  aws: Aws,
  stack: Stack,
  fn: LoginFunction,
  { right, ways, type, expected, kind }: Listed,
): Promise<DoctorFinding[]> {
  const found = await aws.ask(right, fn.name, () =>
    ways({ client: aws.functions }, { FunctionName: fn.name }),
  );
  if (found === null) return [];
  const resources = stack
    .ofType(type)
    .filter(({ properties: { FunctionName, TargetFunctionArn } }) =>
      stack.concerns(FunctionName ?? TargetFunctionArn, fn),
    );
  const made = resources.flatMap(({ id, properties }) => expected(properties, id, stack, fn));
  return differences(fn.name, kind, found ?? [], made);
}

/** The items of all pages. */
async function all<TPage, TItem>(
  pages: AsyncIterable<TPage>,
  itemsOf: (page: TPage) => TItem[] | undefined,
): Promise<TItem[]> {
  const items: TItem[] = [];
  for await (const page of pages) items.push(...(itemsOf(page) ?? []));
  return items;
}
