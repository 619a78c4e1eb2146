/** Longer than any wait of a proposal: after it the engine is assumed to have lost the work. */
export const allowanceSeconds = 8 * 24 * 60 * 60;
