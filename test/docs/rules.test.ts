/** The table of rules has each rule that there is. */
import { expect, test } from '@jest/globals';
import type { RuleKey } from '../../lib/profile/schema/ruleSchema.ts';
import { textOf } from '../support/pages.ts';

/** The type makes this list whole. */
const RULES = Object.keys({
  emails: true,
  email_domains: true,
  scopes: true,
  any_group: true,
  no_group: true,
  claim: true,
  attribute: true,
  assurance: true,
} satisfies Record<RuleKey, true>);

test('the guide has a row for each rule, and for no other', async () => {
  const [, section = ''] = (await textOf('docs/mappings.md')).split('\n## Rules\n');
  const [table = ''] = section.trimStart().split('\n\n');
  const keys = Array.from(table.matchAll(/(?:^\| |SAML mapping )`\{ (\w+): /gm), ([, key]) => key);
  expect([...new Set(keys)].sort()).toEqual(RULES.sort());
});
