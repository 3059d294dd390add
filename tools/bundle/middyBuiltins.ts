/** The build gives Middy these in place of `node:http` and `node:timers`: it needs the words for a status in an HTTP error only. */
export const STATUS_CODES = new Proxy<Record<string, string>>(
  {},
  { get: (_, code: string) => process.getBuiltinModule('node:http').STATUS_CODES[code] },
);
export const { setTimeout } = globalThis;
