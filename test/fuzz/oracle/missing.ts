/** Whether the fields that a login's record calls missing are those that its trace did not find. */
import { FIELD_NAMES, PROFILE_FIELDS } from '../../../lib/profile/fields.ts';
import { demand } from './demand.ts';
import { isObject, type JsonObject } from './json.ts';
import { HAS_IDENTIFIER } from './required.ts';

const GROUPS = 'user_group_uuids';

/** @param trace of the record, or of the record at debug level that follows it; undefined where there is none */
export function requireMissing({ missing = [], missingCount }: JsonObject, trace: unknown): void {
  demand(Array.isArray(missing), 'what is missing is a list');
  demand(missingCount === undefined || missingCount === missing.length, 'what is missing is counted');
  const inOrder = PROFILE_FIELDS.filter((field) => missing.includes(field));
  demand(missing.join() === inOrder.join(), `what is missing are fields, in their order: ${missing}`);
  if (!isObject(trace) || !isObject(trace.fields) || trace.rule === 'issuers') {
    demand(
      // The identifier that a setting names was looked for, and is there.
      isObject(trace) ? missingCount === (HAS_IDENTIFIER ? 0 : undefined) : true,
      'where nothing is looked for, nothing is missing',
    );
    return;
  }
  demand(missingCount !== undefined, 'where fields are looked for, those that are missing are counted');
  const { fields, groups } = trace;
  const notFound = FIELD_NAMES.filter((field) => isNotFound(fields[field]));
  const named = missing.filter((field) => field !== GROUPS);
  demand(
    named.join() === notFound.join(),
    `what is missing is what was not found: ${named}, not ${notFound}`,
  );
  const areMissing = missing.includes(GROUPS);
  demand(!areMissing || isObject(groups), 'groups that are missing were looked for');
  if (!isObject(groups)) return;
  demand(areMissing || groups.known === true, 'groups that are unknown are missing');
  demand(
    !areMissing || groups.known === false || groups.received === 0,
    'groups that are there are not missing',
  );
}

/** An address with a note is there and refused; a fallback stands in for what is not there. */
function isNotFound(field: unknown): boolean {
  return (
    isObject(field) && (field.found === 'fallback' || (field.found === null && field.note === undefined))
  );
}
