/** What mutation testing measures, by which tests, and the score that each part must reach. */
import { matchesGlob } from 'node:path';

export interface Area {
  /** As `docs/maintainers/quality.md` calls it. */
  name: string;
  /** Patterns of its files. */
  files: readonly string[];
  /** Whether a test must detect every mutant: in what decides who may log in, and in what keeps personal data out of files. */
  isWhole?: true;
}

/** Patterns of the test files. One that runs the built functions in another process kills no mutant, and is not here. */
export const TESTS: readonly string[] = [
  'test/{forbiddenVariables,invocation,models,reasons,schema,settings,text}.test.ts',
  'test/{messages,profile}/*.test.ts',
  'test/openid/{claims,graph,judgedToken,signedToken,tokenKind,userInfo}.test.ts',
  'test/saml/{attributes,dateTime,externalId,judgedAssertion}.test.ts',
  'test/webhook/signature.test.ts',
  'test/toolkit/{accessToken,cache,connectionFailure,lookUp,secrets,secretSources,url}.test.ts',
  'test/login/{event,handlerModule,http,log,loginFunction,respond,runHandler,selfTest}.test.ts',
  'test/keep/{person,places,plan,protocol,pseudonyms,texts,withoutPerson}.test.ts',
];

export const AREAS: readonly Area[] = [
  {
    name: 'checks, events and answers of a login',
    files: ['lib/login/{event,http,respond}.ts'],
    isWhole: true,
  },
  {
    name: 'path of a login',
    files: [
      'lib/{invocation,reasons}.ts',
      'lib/login/{handlerModule,log,loginFunction,loginRecord,runHandler,selfTest,start}.ts',
    ],
  },
  {
    name: 'groups, rules and responses',
    files: [
      'lib/profile/{groups,rules}/!(ruleChecks).ts',
      'lib/profile/fields/addressReader.ts',
      'lib/profile/response.ts',
      'lib/profile/schema/{distinguishedName,domains,emailAddress}.ts',
    ],
    isWhole: true,
  },
  {
    name: 'profile and mappings',
    files: [
      'lib/profile/!(response).ts',
      'lib/profile/fields/!(addressReader).ts',
      'lib/profile/rules/ruleChecks.ts',
      'lib/profile/schema/{mappingSchema,ofIssuer,profileFields,ruleSchema}.ts',
    ],
  },
  { name: 'signature of the service', files: ['lib/webhook/*.ts'], isWhole: true },
  {
    name: 'check of the ID token',
    files: ['lib/openid/{idTokenCheck,issuerKeys,signedToken,tokenKind}.ts'],
    isWhole: true,
  },
  {
    name: 'OpenID Connect',
    files: ['lib/openid/{addressProof,claims,discovery,graph,kind,model,userInfo}.ts'],
    isWhole: true,
  },
  { name: 'check of the assertion', files: ['lib/saml/assertionCheck.ts'], isWhole: true },
  {
    name: 'SAML',
    files: ['lib/saml/{attributeNames,attributes,dateTime,externalId,kind,model}.ts'],
    isWhole: true,
  },
  {
    name: 'settings, schemas, texts, URLs',
    files: [
      'lib/{forbiddenVariables,issuers,jsonMistake,readSettings,schema,settings,text}.ts',
      'lib/toolkit/url.ts',
      'lib/messages/languages.ts',
    ],
  },
  {
    name: 'look-ups, caches and secrets',
    files: ['lib/toolkit/{accessToken,cache,connectionFailure,lookUp,secrets,secretsManager}.ts'],
  },
  { name: 'pseudonymiser of kept events', files: ['tools/keep/*.ts'], isWhole: true },
];

/** The area that a file belongs to; undefined where mutation testing does not measure it. */
export function areaOf(file: string): Area | undefined {
  return AREAS.find(({ files }) => files.some((pattern) => matchesGlob(file, pattern)));
}
