/** What the plugin brings to a project that names its kinds of login. `serverless.yml` of this repository has it written out. */
import { KINDS, type LoginKind } from '../../lib/kinds.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { kindsIn } from '../shared/configuration.ts';
import type { Serverless } from './service.ts';
import { isMap, type Values } from './waysIn/template.ts';

function broughtTo(kinds: readonly LoginKind[]): Values {
  return {
    provider: {
      runtime: 'nodejs24.x',
      architecture: 'arm64',
      memorySize: 512,
      // Under API Gateway's 30 s, so that a slow handler is answered by the function and not cut off.
      timeout: 20,
      logs: { lambda: { logFormat: 'JSON' } },
    },
    package: { excludeDevDependencies: false, patterns: ['!**', 'dist/**', '!dist/**/*.map'] },
    functions: Object.fromEntries(kinds.map((kind) => functionOf(KINDS[kind]))),
  };
}

function functionOf({ word, functionName }: (typeof KINDS)[LoginKind]): [string, Values] {
  const route = { method: 'POST', path: `/${word}`, authorizer: { type: 'aws_iam' } };
  return [functionName, { handler: `dist/functions/${functionName}.handler`, events: [{ httpApi: route }] }];
}

/**
 * Brings the functions of the kinds in `custom.loginHooks.kinds`, and what they need, while plugins are made: `serverless`
 * resolves variables, checks and completes the configuration afterwards.
 *
 * What the project says stays, with its variables: a value replaces what is brought, `null` leaves it out, patterns come
 * after those that are brought.
 *
 * @throws {UnusableInput} for kinds that do not exist, and where nothing can be added
 */
export function bringFunctions(serverless: Serverless): void {
  const { configurationInput, configurationFilename: file } = serverless;
  const kinds = kindsIn(configurationInput, file);
  if (kinds !== null) bring(broughtTo(kinds), configurationInput, []);

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
