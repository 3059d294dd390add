/** A request to an OpenID provider, as the functions send it. What it fails with ends the examination of an issuer. */
import type * as v from 'valibot';
import { isLoopbackHttp } from '../../lib/issuers.ts';
import { LookUpFailed } from '../../lib/reasons.ts';
import { lookUp } from '../../lib/toolkit/lookUp.ts';
import type { LookUpUrl } from '../../lib/toolkit/url.ts';
import { type Diagnosis, finding, unasked } from './examination.ts';

/** Thrown where no more can be asked about an issuer; it has what was found out instead. */
export class Stopped extends Error {
  readonly examined: Diagnosis;

  constructor(examined: Diagnosis) {
    super('the examination of an issuer has stopped');
    this.examined = examined;
  }
}

export interface Asking {
  issuer: string;
  /** Of a finding. */
  code: string;
  /** What is asked for, e.g. `the discovery document`. */
  what: string;
  cure: string;
}

/** @throws {Stopped} */
export async function askProvider<TSchema extends v.GenericSchema>(
  address: LookUpUrl,
  schema: TSchema,
  asking: Asking,
): Promise<v.InferOutput<TSchema>> {
  try {
    return await lookUp(address, schema, { allowHttp: isLoopbackHttp(address.href), retries: 1 });
  } catch (error) {
    throw error instanceof LookUpFailed ? new Stopped(stoppedBy(error, asking)) : error;
  }
}

const NOT_THERE = [404, 410];

function stoppedBy(error: LookUpFailed, { issuer, code, what, cure }: Asking): Diagnosis {
  const { host, status } = error;
  const why = PROBLEMS[error.code];
  if (why !== undefined)
    return { findings: [finding(code, issuer, `${what} at ${host} ${why}.`, cure)], unasked: [] };
  if (status !== null && NOT_THERE.includes(status)) {
    const message = `${host} responds with status ${status} where ${what} is expected.`;
    return { findings: [finding(code, issuer, message, cure)], unasked: [] };
  }
  const { problems = [] } = error.details as { problems?: string[] };
  const reason = status === null ? (problems[0] ?? 'no response in time') : `status ${status}`;
  return unasked(issuer, `${host} does not send ${what}: ${reason}.`);
}

/** What a provider would send to each function too. */
const PROBLEMS: Readonly<Partial<Record<LookUpFailed['code'], string>>> = {
  lookup_redirected: 'redirects to another place, which the functions do not follow',
  lookup_too_large: 'is larger than the functions accept',
  lookup_not_json: 'is not JSON',
  lookup_unexpected: 'is not of the expected form',
  lookup_url_refused: 'has an address that the functions do not ask',
};
