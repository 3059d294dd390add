/** Ways to a login function that the deployed template does not have, or that it has otherwise, or that are gone. */
import {
  type AliasConfiguration,
  GetPolicyCommand,
  paginateListAliases,
  paginateListEventSourceMappings,
  paginateListFunctionEventInvokeConfigs,
  paginateListFunctionUrlConfigs,
} from '@aws-sdk/client-lambda';
import { mapOf } from '../deploy/waysIn/template.ts';
import type { Aws } from './aws.ts';
import { differences } from './differences.ts';
import type { DoctorFinding } from './examination.ts';
import { note } from './findings.ts';
import { expectedPermissions, permissionsIn } from './permissions.ts';
import type { LoginFunction, Stack } from './stack.ts';

export async function waysIn(aws: Aws, stack: Stack, fn: LoginFunction): Promise<DoctorFinding[]> {
  const aliases = await aliasesOf(aws, fn);
  const found = await Promise.all([
    ofAliases(stack, fn, aliases ?? []),
    ofPermissions(aws, stack, fn, aliases ?? []),
    ofUrls(aws, stack, fn),
    ofEventSources(aws, stack, fn),
    ofDestinations(aws, stack, fn),
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
  const found = policies.flatMap((policy) => permissionsIn(policy?.Policy ?? '{}'));
  const kind = {
    ...{ added: 'permission_added', missing: 'permission_missing' },
    what: 'the permission of',
    remove: 'remove its statement with aws lambda remove-permission',
  };
  return differences(fn.name, kind, found, expectedPermissions(stack, fn));
}

async function ofUrls(aws: Aws, stack: Stack, fn: LoginFunction): Promise<DoctorFinding[]> {
  const urls = await aws.ask('lambda:ListFunctionUrlConfigs', fn.name, () =>
    all(
      paginateListFunctionUrlConfigs({ client: aws.functions }, { FunctionName: fn.name }),
      ({ FunctionUrlConfigs }) => FunctionUrlConfigs,
    ),
  );
  if (urls === null) return [];
  const found = (urls ?? []).map(({ FunctionArn = '', AuthType = '' }) => ({
    key: FunctionArn,
    guard: AuthType,
  }));
  const expected = stack
    .ofType('AWS::Lambda::Url')
    .filter(({ properties }) => stack.concerns(properties.TargetFunctionArn, fn))
    .map(({ properties }) => ({
      key: new RegExp(`:function:${fn.name}(?::|$)`),
      guard: stack.made(properties.AuthType),
      text: fn.name,
    }));
  const kind = {
    ...{ added: 'function_url_added', edited: 'function_url_edited', missing: 'function_url_missing' },
    what: 'the URL of',
    remove: 'remove it with aws lambda delete-function-url-config',
  };
  return differences(fn.name, kind, found, expected);
}

async function ofEventSources(aws: Aws, stack: Stack, fn: LoginFunction): Promise<DoctorFinding[]> {
  const sources = await aws.ask('lambda:ListEventSourceMappings', fn.name, () =>
    all(
      paginateListEventSourceMappings({ client: aws.functions }, { FunctionName: fn.name }),
      ({ EventSourceMappings }) => EventSourceMappings,
    ),
  );
  if (sources === null) return [];
  const found = (sources ?? []).map(({ EventSourceArn, UUID = '' }) => ({
    key: EventSourceArn ?? UUID,
    guard: '',
  }));
  const expected = stack
    .ofType('AWS::Lambda::EventSourceMapping')
    .filter(({ properties }) => stack.concerns(properties.FunctionName, fn))
    .map(({ id, properties }) => ({ key: stack.made(properties.EventSourceArn), guard: /^/, text: id }));
  const kind = {
    ...{ added: 'event_source_added', missing: 'event_source_missing' },
    what: 'the event source',
    remove: 'remove it with aws lambda delete-event-source-mapping',
  };
  return differences(fn.name, kind, found, expected);
}

/** Where Lambda sends the events and the responses of asynchronous logins. */
async function ofDestinations(aws: Aws, stack: Stack, fn: LoginFunction): Promise<DoctorFinding[]> {
  const configs = await aws.ask('lambda:ListFunctionEventInvokeConfigs', fn.name, () =>
    all(
      paginateListFunctionEventInvokeConfigs({ client: aws.functions }, { FunctionName: fn.name }),
      ({ FunctionEventInvokeConfigs }) => FunctionEventInvokeConfigs,
    ),
  );
  if (configs === null) return [];
  const found = (configs ?? []).flatMap(({ DestinationConfig: to }) =>
    [to?.OnSuccess, to?.OnFailure].flatMap((one) =>
      one?.Destination ? { key: one.Destination, guard: '' } : [],
    ),
  );
  const expected = stack
    .ofType('AWS::Lambda::EventInvokeConfig')
    .filter(({ properties }) => stack.concerns(properties.FunctionName, fn))
    .flatMap(({ id, properties }) =>
      Object.values(mapOf(properties.DestinationConfig)).map((one) => ({
        key: stack.made(mapOf(one).Destination),
        guard: /^/,
        text: id,
      })),
    );
  const kind = {
    ...{ added: 'destination_added', missing: 'destination_missing' },
    what: 'the destination',
    remove: 'remove it with aws lambda delete-function-event-invoke-config',
  };
  return differences(fn.name, kind, found, expected);
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
