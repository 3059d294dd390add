/** The templates that a deployment uploads. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param folder into which `serverless package` has written */
export function templateIn(folder: string): string {
  return readFileSync(join(folder, 'cloudformation-template-update-stack.json'), 'utf8');
}

/** The properties of all resources of a type. */
export function resourcesIn(template: string, type: string): Record<string, unknown>[] {
  const { Resources } = JSON.parse(template);
  const all = Object.values<{ Type: string; Properties: Record<string, unknown> }>(Resources);
  return all.filter(({ Type }) => Type === type).map(({ Properties }) => Properties);
}
