/** The changes that `npm run check -- --attack` makes: one row each. docs/check.md says what arrives, and when it is an error. */
import { GROUP_CHANGES } from './groupChanges.ts';
import { IDENTITY_CHANGES } from './identityChanges.ts';
import { PERSON_CHANGES } from './personChanges.ts';

export const CHANGES = { ...IDENTITY_CHANGES, ...GROUP_CHANGES, ...PERSON_CHANGES };

export type ChangeName = keyof typeof CHANGES;
