import type { LoginKind } from '../settings.ts';
import { asciiLowerCase } from '../text.ts';

/** The name of a claim or attribute, and the form in which attributes are compared: without case. */
export interface Name {
  name: string;
  key: string;
}

/** Under which names the providers of one kind send things, in order of preference. */
export interface DefaultNames {
  kind: LoginKind;
  email: readonly Name[];
  /** Whether a login of this kind may have its e-mail address in a NameID. */
  emailNameId: boolean;
  first_name: readonly Name[];
  last_name: readonly Name[];
  full_name: readonly Name[];
  image_url: readonly Name[];
  affiliation: readonly Name[];
  external_id: readonly Name[];
  external_label: readonly Name[];
  groups: readonly Name[];
  scoped_affiliation: readonly Name[];
  /** The names under which a name of an operator's is looked up: itself, and others that mean the same. */
  expand(name: string): readonly string[];
}

export function namesOf(...names: string[]): Name[] {
  return names.map((name) => ({ name, key: asciiLowerCase(name) }));
}
