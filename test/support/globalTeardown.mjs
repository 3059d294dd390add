/** Ends what a global set-up began. */
export default () => globalThis.endSetup();
