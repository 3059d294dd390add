/** Stands in values and in names; its last character makes a name one that may not be shown. */
export const MARKER = 'MARKER-!';
