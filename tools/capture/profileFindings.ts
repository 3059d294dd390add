/** What is odd about groups that arrived. */
import type { LoginKind } from '../../lib/kinds.ts';
import { usedTexts } from '../../lib/profile/fields/reader.ts';
import { formNote } from '../../lib/profile/groups/readGroups.ts';
import type { Kind } from '../../lib/profile/kind.ts';
import { GROUPS_LEFT_OUT } from '../explain/fixes.ts';
import type { Finding } from '../shared/finding.ts';
import { found, listed, warning } from './findings.ts';

const JOINED: Readonly<Record<LoginKind, string>> = {
  SAML: 'Have the provider send one AttributeValue for each group (Keycloak: "Single Role Attribute" or "Single Group Attribute" off), or set groups.separator (docs/mappings.md).',
  OpenID:
    'Have the provider send a list of texts (Keycloak: "Multivalued" of the mapper), or set groups.separator (docs/mappings.md).',
};

/** Names of groups rarely have these. DNs and URIs have some of them. */
const SEPARATOR = /[;|,]|\s{2}/;
const DN_OR_URI = /^\s*(?:[\w.]+\s*=|[a-z][\w+.-]*:)/i;

/** Also for a handler that reads them otherwise: a mapping that reads these groups would miss some. */
export function groupFindings<TEvent>({ names, read }: Kind<TEvent>, event: TEvent): Finding[] {
  const reader = read(event);
  const joinedNames = names.groups
    .filter((name) => isJoined(usedTexts(reader.occurrences([name]))))
    .map(({ name }) => name);
  const otherForms = names.groups.map((name) => {
    const form = reader.otherForm(name);
    const message = `Groups arrived in a form that is not read: ${name.name}.`;
    return form && warning('groups_unknown', message, formNote(name.name, form));
  });
  return found([
    names.groups.some((name) => reader.hasOverage(name)) &&
      warning(
        'groups_unknown',
        'The provider left groups out, as it does for people in many.',
        GROUPS_LEFT_OUT[names.kind],
      ),
    ...otherForms,
    joinedNames.length > 0 &&
      warning(
        'groups_ambiguous',
        `Several groups seem to arrive as one text: ${listed(joinedNames)}. No row of a mapping matches such a text.`,
        JOINED[names.kind],
      ),
  ]);
}

function isJoined(values: readonly string[]): boolean {
  const [only = '', ...others] = values;
  return others.length === 0 && SEPARATOR.test(only) && !DN_OR_URI.test(only);
}
