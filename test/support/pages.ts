/** The pages of the guide, with the code, commands and tables in them. */
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT } from '../../tools/shared/project.ts';

export interface Block {
  /** The page and the line where the text begins, from 1: `docs/mappings.md:6`. */
  place: string;
  /** What stands behind the fence: `ts`, `json`, `text`, … */
  language: string;
  text: string;
  /** The indented command right above it, if any: the block is what the command prints. */
  command: string | null;
  /** The page down to the block. */
  above: string;
}

/** The paths of all pages, from the project's folder. */
export const PAGES = await Array.fromAsync(glob(['*.md', 'docs/**/*.md', 'events/*.md'], { cwd: PROJECT }));

/** Those that `tools/pack` copies. */
export const PACKED_PAGES = PAGES.filter(
  (page) => !/^(?:CONTRIBUTING|docs\/maintainers\/|events\/)/.test(page),
);

export async function textOf(page: string): Promise<string> {
  return readFile(join(PROJECT, page), 'utf8');
}

const FENCED = /^```(\w+)\n(.*?)^```$/gms;
const COMMAND_AT_THE_END = /(?:^|\n) {4}(\S.*)\n\n$/;

/** The fenced blocks of a page, in their order. */
export async function blocksOf(page: string): Promise<Block[]> {
  const whole = await textOf(page);
  return Array.from(whole.matchAll(FENCED), ({ 1: language = '', 2: text = '', index }) => {
    const above = whole.slice(0, index);
    const [, command = null] = COMMAND_AT_THE_END.exec(above) ?? [];
    return { place: `${page}:${above.split('\n').length + 1}`, language, text, command, above };
  });
}

/** The rows of the tables in a text, each a list of its cells; the rows of dashes are among them. */
export function tableRows(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.startsWith('|') && line.endsWith('|'));
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

/** The names in a text that are marked as code. */
export function codeIn(text = ''): string[] {
  return Array.from(text.matchAll(/`([^`]+)`/g), ([, code = '']) => code);
}
