/** Server-sent events out of the text of a response (HTML Living Standard, section 9.2.6). */

interface ServerEvent {
  name: string;
  data: string;
}

export interface Split {
  events: ServerEvent[];
  /** The start of an event whose end is still to come. */
  rest: string;
}

const END_OF_EVENT = /\r\n\r\n|\n\n|\r\r/;
const END_OF_LINE = /\r\n|\n|\r/;
const DEFAULT_NAME = 'message';

/** @param text what came so far, and belongs to no event yet */
export function splitEvents(text: string): Split {
  const blocks = text.split(END_OF_EVENT);
  const rest = blocks.pop() ?? '';
  return { events: blocks.map(eventOf).filter((event) => event !== null), rest };
}

/** Null for a block without data, such as a comment that keeps the connection open. */
function eventOf(block: string): ServerEvent | null {
  const lines = block.split(END_OF_LINE).map(fieldOf);
  const data = lines.filter(({ field }) => field === 'data').map(({ value }) => value);
  if (data.length === 0) return null;
  const name = lines.findLast(({ field }) => field === 'event')?.value || DEFAULT_NAME;
  return { name, data: data.join('\n') };
}

function fieldOf(line: string): { field: string; value: string } {
  const colon = line.indexOf(':');
  if (colon === -1) return { field: line, value: '' };
  return { field: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, '') };
}
