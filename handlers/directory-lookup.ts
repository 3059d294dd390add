/** Takes profile and department from the organisation's directory, a REST service that a bearer token opens. */

import {
  authorizedUser,
  endpoint,
  forbidden,
  getSecret,
  LookUpFailed,
  lookUp,
  type SamlHandler,
  url,
} from 'login-hooks';
import * as v from 'valibot';

const directory = endpoint(process.env.DIRECTORY_URL ?? 'https://directory.example.org/api');
const ISSUER = process.env.DIRECTORY_ISSUER ?? 'https://sso.example.org/saml';
const TOKEN = process.env.DIRECTORY_SECRET_ID ?? 'login-hooks/directory-token';

const Person = v.object({
  givenName: v.string(),
  sn: v.string(),
  mail: v.string(),
  department: v.nullable(v.string()),
});

async function findPerson(id: string, refresh = false): Promise<v.InferOutput<typeof Person>> {
  const authorization = `Bearer ${await getSecret(TOKEN, { refresh })}`;
  return lookUp(url`${directory}/people/${id}`, Person, { headers: { authorization }, cacheSeconds: 60 });
}

const directoryLookup: SamlHandler = async (event) => {
  // A NameID identifies a person at its own issuer only. Another issuer can send the same NameID for anyone.
  if (event.assertion.issuer !== ISSUER)
    return forbidden('Please log in with your account of this organisation.');
  const id = event.assertion.subject.name_id.value;
  try {
    const person = await findPerson(id).catch((error) => {
      // The token was rotated: read it again, once.
      if (error instanceof LookUpFailed && error.status === 401) return findPerson(id, true);
      throw error;
    });
    const { givenName, sn, mail, department } = person;
    return authorizedUser({ first_name: givenName, last_name: sn, email: mail, affiliation: department });
  } catch (error) {
    if (error instanceof LookUpFailed && error.status === 404)
      return forbidden('You are not in the directory.');
    throw error;
  }
};

export default directoryLookup;
