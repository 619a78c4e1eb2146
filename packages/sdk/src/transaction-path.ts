/** Encodes the hash, so that it cannot change the path. */
export const pathOf = (requestHash: string, below = ""): string =>
  `/transactions/${encodeURIComponent(requestHash)}${below}`;
