/** Whatever is given as a hash is one part of the path, and never another path. */
export const pathOf = (requestHash: string, below = ""): string =>
  `/transactions/${encodeURIComponent(requestHash)}${below}`;
