/** Makes a stranger's text safe to read: short, and printable ASCII only. */
export const printable = (text: string, longest: number): string =>
  text.slice(0, longest).replace(/[^ -~]/g, "?");
