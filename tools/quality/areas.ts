/** What mutation testing measures, by which tests, and the score that each part must reach. */
import { matchesGlob } from 'node:path';

export interface Area {
  /** As `docs/quality.md` calls it. */
  name: string;
  /** Patterns of its files. */
  files: readonly string[];
  /** The lowest score that passes, in percent. */
  bar: number;
}

/** Areas that the same tests cover. */
export interface Suite {
  name: string;
  /** Patterns of test files. One that runs the built functions in another process kills no mutant, and is not here. */
  tests: readonly string[];
  areas: readonly Area[];
}

/** Of what decides who may log in, and of what keeps personal data out of files. Elsewhere, the bar is the last score. */
const ALL = 100;

export const SUITES: readonly Suite[] = [
  {
    name: 'lib',
    tests: [
      'test/{deadline,errors,models,schema,settings,text}.test.ts',
      'test/profile/*.test.ts',
      'test/openid/{claims,defaultHandler,issuerKeys,judgedToken,signedToken,tokenKind,userInfo}.test.ts',
      'test/saml/{attributeNames,attributes,dateTime,defaultHandler,emailVerified,judgedAssertion}.test.ts',
      'test/webhook/{callerTimes,signingKeys,standardWebhooks}.test.ts',
      'test/toolkit/{accessToken,cache,lookUp,secretSource,secrets,secretsManager,url}.test.ts',
      'test/login/{checks,describeError,externalId,handlerModule,httpBody,httpEnvelope,log,login,missing}.test.ts',
      'test/login/{parseEvent,readAnswer,respond,runHandler,selfTestReport,watchedLogins}.test.ts',
      'test/shadow/{askShadow,difference,rest}.test.ts',
    ],
    areas: [
      {
        name: 'checks, events and answers of a login',
        files: ['lib/login/{checks,externalId,httpBody,parseEvent,readAnswer}.ts'],
        bar: ALL,
      },
      {
        name: 'path of a login',
        files: [
          'lib/{deadline,errors}.ts',
          'lib/login/{describeError,handlerModule,httpEnvelope,log,login,missing,respond,runHandler}.ts',
          'lib/login/{selfTest,selfTestReport,watchedLogins}.ts',
        ],
        bar: 98,
      },
      { name: 'shadow', files: ['lib/shadow/*.ts'], bar: 96 },
      {
        name: 'groups, rules and responses',
        files: ['lib/profile/{deniedGroups,distinguishedName,domains,groupMatcher,groups,response,rules}.ts'],
        bar: ALL,
      },
      {
        name: 'profile and mappings',
        files: ['lib/profile/{decide,decision,fields,mapping,mappingSchema,reader}.ts'],
        bar: 99,
      },
      { name: 'signature of the service', files: ['lib/webhook/*.ts'], bar: ALL },
      {
        name: 'check of the ID token',
        files: ['lib/openid/{idTokenCheck,issuerKeys,signedToken,tokenKind}.ts'],
        bar: ALL,
      },
      {
        name: 'OpenID Connect',
        files: ['lib/openid/{claims,defaultHandler,discovery,model,userInfo}.ts'],
        bar: ALL,
      },
      { name: 'check of the assertion', files: ['lib/saml/assertionCheck.ts'], bar: ALL },
      {
        name: 'SAML',
        files: ['lib/saml/{attributeNames,attributes,dateTime,defaultHandler,model}.ts'],
        bar: ALL,
      },
      {
        name: 'settings, schemas, texts, URLs',
        files: ['lib/{issuers,schema,settings,text}.ts', 'lib/toolkit/url.ts'],
        bar: 97,
      },
      {
        name: 'look-ups, caches and secrets',
        files: ['lib/toolkit/{accessToken,cache,lookUp,secretSource,secrets,secretsManager}.ts'],
        bar: 99,
      },
    ],
  },
  {
    name: 'keep',
    tests: [
      'test/keep/{keptLogin,keptTexts,loginTexts,mappingTexts,personSearch,planKeep,protocolTexts,standIns}.test.ts',
      'test/keep/{withoutPerson,writeKept}.test.ts',
    ],
    areas: [{ name: 'pseudonymiser of kept events', files: ['tools/keep/*.ts'], bar: ALL }],
  },
];

/** The area that a file belongs to; undefined where mutation testing does not measure it. */
export function areaOf({ areas }: Suite, file: string): Area | undefined {
  return areas.find(({ files }) => files.some((pattern) => matchesGlob(file, pattern)));
}
