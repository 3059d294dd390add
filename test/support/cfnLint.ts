/** CloudFormation's published schema, and cfn-lint's rules across properties. */
import { execFileSync, spawnSync } from 'node:child_process';
import { CFN_LINT, PYTHON } from '../aws/machine/moto.ts';

export interface Finding {
  /** `E3034`, `W3005`: the first letter is how serious it is, E the most. */
  rule: string;
  /** From `Resources` on: logical id, properties. */
  path: string;
}

interface Match {
  Filename: string;
  Rule: { Id: string };
  Location: { Path: string[] | null };
}

/**
 * Checks templates in one process.
 *
 * @param region where they are deployed
 * @returns by file, what is found in it
 * @throws {Error} where cfn-lint does not run
 */
export function lint(files: string[], region: string): Map<string, Finding[]> {
  const args = ['--format', 'json', '--regions', region, '--', ...files];
  const { stdout, stderr, error } = spawnSync(CFN_LINT, args, { encoding: 'utf8' });
  if (error || stderr !== '') throw error ?? new Error(stderr);
  const matches: Match[] = JSON.parse(stdout);
  const findingsIn = (file: string) =>
    matches
      .filter(({ Filename }) => Filename === file)
      .map(({ Rule, Location }) => ({ rule: Rule.Id, path: (Location.Path ?? []).join('/') }));
  return new Map(files.map((file) => [file, findingsIn(file)]));
}

const CREATE_ONLY = `
import json, sys
from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER as schemas
region, *types = sys.argv[1:]
found = {one: schemas.get_resource_schema(region, one).schema.get("createOnlyProperties", []) for one in types}
json.dump(found, sys.stdout)
`;

/** @returns by type of resource, the properties of which CloudFormation changes none: it replaces the resource */
export function createOnlyProperties(types: string[], region: string): Record<string, string[]> {
  const found: Record<string, string[]> = JSON.parse(
    execFileSync(PYTHON, ['-c', CREATE_ONLY, region, ...types], { encoding: 'utf8' }),
  );
  const entries = Object.entries(found).map(([type, paths]) => [
    type,
    paths.map((path) => path.replace('/properties/', '')),
  ]);
  return Object.fromEntries(entries);
}
