/** Stands for the names that the default handlers look at. */
export const DEFAULTS = { use: 'defaults' } as const;

/** Stands for the NameID of an assertion. */
export const NAME_ID = { use: 'nameId' } as const;

/** Where a value is looked for: the name of a claim or attribute, or what stands for one. */
export type Source = string | { use: 'defaults' | 'nameId' };
