/**
 * Returns how much of a test to run: `part` for each change, `all` in the soak project. A `*.soak.test.ts` that imports a
 * test file runs that file at full size.
 */
export const sizeOf = ({ part, all }: { readonly part: number; readonly all: number }): number =>
  process.env["TEST_SIZE"] === "full" ? all : part;
