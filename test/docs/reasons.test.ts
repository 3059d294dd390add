/** The tables of reasons say what the code says. */
import { expect, test } from '@jest/globals';
import { WORDS } from '../../lib/messages/en.ts';
import { ADDRESS_PROBLEMS, isAboutProof } from '../../lib/profile/fields/addressChoice.ts';
import { REASONS, type ReasonCode } from '../../lib/reasons.ts';
import { RULE_CHANGES, reasonRow } from '../../tools/explain/reasons.ts';
import { tableRows, textOf } from '../support/pages.ts';

const CODES = Object.keys(REASONS) as ReasonCode[];

/** `docs/mappings.md, "Deny a group"` is a link there. */
function linked(text: string): string {
  return text.replaceAll(/docs\/([\w-]+\.md)(?:, "([^"]+)")?/g, (_, page, heading) =>
    heading ? `[${heading}](${page}#${heading.toLowerCase().replaceAll(' ', '-')})` : `[${page}](${page})`,
  );
}

test('the guide has each reason with its status, what it says, and what to change', async () => {
  const rows = CODES.map((code) => {
    const [sentence, change] = reasonRow(code);
    return `| \`${code}\` | ${REASONS[code][0]} | ${sentence} | ${linked(change)} |`.replace('|  |', '| |');
  });
  expect(await textOf('docs/operate.md')).toContain(`${rows.join('\n')}\n\n`);
});

/** The reasons of a message that the function makes itself. */
function reasonsOf(words: string): string[] {
  const own = CODES.filter((code) => REASONS[code][1] === words);
  const ofAddress = Object.entries(ADDRESS_PROBLEMS)
    .filter(([, problem]) => problem.words === words)
    .map(([problem]) => (isAboutProof(problem) ? 'email_unverified' : 'profile_incomplete'));
  const ofRule = words === 'forbidden' || Object.hasOwn(RULE_CHANGES, words) ? ['rule_refused'] : [];
  const ofProfile = words === 'not_sent' ? ['profile_incomplete'] : [];
  return [...new Set([...own, ...ofAddress, ...ofRule, ...ofProfile])];
}

const PARTS = ['email', 'first_name', 'last_name', 'and', 'reference'];

test('the guide has each message, with the reasons that it stands for', async () => {
  const rows = Object.entries(WORDS)
    .filter(([words]) => !PARTS.includes(words))
    .map(
      ([words, text]) =>
        `| "${text}" | ${reasonsOf(words)
          .map((code) => `\`${code}\``)
          .join(', ')} |`,
    );
  expect(await textOf('docs/operate.md')).toContain(`${rows.join('\n')}\n\n`);
});

test('the page for HTTP callers has each status, and no other', async () => {
  const page = await textOf('docs/connect.md');
  const table = page.slice(page.indexOf('| status |'));
  const rows = tableRows(table.slice(0, table.indexOf('\n\n'))).slice(2);
  const statuses = new Set(Object.values(REASONS).map(([status]) => String(status)));
  expect(rows.map(([status]) => status)).toEqual([...statuses].sort());
});
