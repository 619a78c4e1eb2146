/** Where time comes from. Passed in everywhere, so that a test can hold it still. */
export type Clock = { readonly now: () => Date };

export const systemClock: Clock = { now: () => new Date() };
