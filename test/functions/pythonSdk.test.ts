/** Receivers that are written for version 1.1 of the Python SDK take every response. For version 1.0, see `test/aws/pythonSdk.aws.ts`. */
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { sampleResponses } from '../support/sampleResponses.ts';

const LOWER_CASE_UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const textOrNull = v.nullable(v.string());
const message = v.string();

/** The response models of version 1.1. Strict, so that no field is sent that they drop. */
const UserLoginResponse = v.variant('type', [
  v.strictObject({
    type: v.literal('AuthorizedUserResponse'),
    firstName: textOrNull,
    lastName: textOrNull,
    email: textOrNull,
    imageUrl: textOrNull,
    affiliation: textOrNull,
    externalId: v.string(),
    externalLabel: v.optional(textOrNull),
    userGroupUuids: v.array(v.pipe(v.string(), v.regex(LOWER_CASE_UUID))),
  }),
  v.strictObject({ type: v.literal('ForbiddenResponse'), message }),
  v.strictObject({ type: v.literal('ErrorResponse'), message }),
]);

type Assertion = { assertion?: { assertionSubject: { subjectNameID: object } } };

/** The samples have transient NameIDs, which identify nobody. */
function withPersistentNameId(event: unknown): unknown {
  const copy = structuredClone(event) as Assertion;
  const { subjectNameID = {} } = copy.assertion?.assertionSubject ?? {};
  const nameIDFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
  Object.assign(subjectNameID, { nameIDFormat, nameIDValue: 'p-1' });
  return copy;
}

test('every sample event is answered with a response of version 1.1', async () => {
  const settings = {
    RESPONSE_NAMES: 'camelCase',
    REQUIRED_FIELDS: 'none',
    OPENID_EXTERNAL_ID: 'sub',
    SAML_EXTERNAL_ID: 'persistent_name_id',
  };
  const responses = await sampleResponses(settings, withPersistentNameId);
  const authorized = new Map<string, number>();
  for (const { title, response } of responses) {
    const { issues = [] } = v.safeParse(UserLoginResponse, response);
    expect([title, issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`)]).toEqual([title, []]);
    const [functionName = ''] = title.split('/');
    const isAuthorized = response?.type === 'AuthorizedUserResponse';
    authorized.set(functionName, (authorized.get(functionName) ?? 0) + Number(isAuthorized));
  }
  for (const functionName of ['openidLoggedIn', 'samlLoggedIn'])
    expect(authorized.get(functionName)).toBeGreaterThan(10);
  expect(responses.some(({ response }) => response?.lastName === null)).toBe(true);
});
