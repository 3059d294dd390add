/** What the plugin brings to a project: the functions of the kinds of login that it names, and what they need. */
import { KINDS, type LoginKind } from '../../lib/kinds.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import type { Configuration } from '../shared/configuration.ts';
import { isMap, mapOf, type Values } from './exposure/values.ts';
import type { Serverless } from './service.ts';

function broughtTo({ handlers, hasHttp }: Configuration, isOwnApi: boolean): Values {
  return {
    provider: {
      runtime: 'nodejs24.x',
      architecture: 'arm64',
      memorySize: 512,
      // Under API Gateway's 30 s, so that a slow handler is answered by the function and not cut off.
      timeout: 20,
      // JSON, so that each log record is one object that CloudWatch can filter by field. Who is refused by a route is logged by
      // its API, if at all.
      logs: { lambda: { logFormat: 'JSON' }, ...(hasHttp && isOwnApi && { httpApi: true }) },
    },
    // The bundle has what it needs: no package is packaged, and npm is not asked for them.
    package: { excludeDevDependencies: false, patterns: ['!**', 'dist/**', '!dist/**/*.map'] },
    functions: Object.fromEntries(
      Object.keys(handlers).map((kind) => functionOf(kind as LoginKind, hasHttp)),
    ),
  };
}

/** A caller signs the request with AWS credentials that may invoke the API, unless `authorizeRoutes` opens the route. */
function functionOf(kind: LoginKind, hasHttp: boolean): [string, Values] {
  const { word, functionName } = KINDS[kind];
  const route = { method: 'POST', path: `/${word}`, authorizer: { type: 'aws_iam' } };
  const handler = `dist/functions/${functionName}.handler`;
  return [functionName, { handler, ...(hasHttp && { events: [{ httpApi: route }] }) }];
}

/**
 * Brings it while plugins are made: `serverless` resolves variables, checks and completes the configuration afterwards.
 *
 * What the project says stays, with its variables: a value replaces what is brought, `null` leaves it out, patterns come
 * after those that are brought.
 *
 * @throws {UnusableInput} where nothing can be added, and for a function that the project has of a kind that it does not name
 */
export function bringFunctions(serverless: Serverless, configuration: Configuration): void {
  const { configurationInput, configurationFilename: file } = serverless;
  const { functions } = configurationInput;
  for (const [kind, { word, functionName }] of Object.entries(KINDS)) {
    if (isMap(functions) && functionName in functions && !(kind in configuration.handlers))
      throw new UnusableInput(`${file}: functions.${functionName}: expected custom.loginHooks.${word} too`);
  }
  const isOwnApi = mapOf(mapOf(configurationInput.provider).httpApi).id === undefined;
  bring(broughtTo(configuration, isOwnApi), configurationInput, []);

  function bring(brought: Values, own: Values, path: string[]): void {
    for (const [key, value] of Object.entries(brought)) {
      const place = [...path, key];
      const said = own[key];
      // A section without content, such as `package:`, says nothing.
      if (said === undefined || (said === null && path.length === 0))
        serverless.extendConfiguration(place, value);
      else if (said === null) delete own[key];
      else if (isMap(value)) bring(value, expected(isMap(said) && said, 'a map', place), place);
      else if (key === 'patterns' && Array.isArray(value))
        serverless.extendConfiguration(place, [
          ...value,
          ...expected(Array.isArray(said) && said, 'a list', place),
        ]);
    }
  }

  /** A variable that resolves later may stand there. */
  function expected<TValue>(found: TValue | false, what: string, place: string[]): TValue {
    if (found !== false) return found;
    throw new UnusableInput(
      `${file}: ${place.join('.')}: expected ${what} that is written out or in a file, because the plugin adds to it`,
    );
  }
}
