/** What the functions are compared with, each in a bundle's place. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Answers without looking: nothing can start faster. */
const EMPTY = 'export const handler = async () => ({});\n';

/** What somebody would write by hand for one provider: no validation, no log, no deadline. */
const BARE = `export const handler = async ({ idToken: { otherClaims } }) => ({
  type: 'AuthorizedUserResponse',
  first_name: otherClaims.given_name,
  last_name: otherClaims.family_name,
  email: otherClaims.email,
  image_url: null,
  affiliation: null,
  user_group_uuids: [],
});
`;

/** A root with the functions `empty` and `bare`, for as long as `use` runs. */
export async function withComparison<TResult>(use: (root: string) => Promise<TResult>): Promise<TResult> {
  const root = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  try {
    await mkdir(join(root, 'functions'));
    await writeFile(join(root, 'functions', 'empty.mjs'), EMPTY);
    await writeFile(join(root, 'functions', 'bare.mjs'), BARE);
    return await use(root);
  } finally {
    await rm(root, { recursive: true });
  }
}
