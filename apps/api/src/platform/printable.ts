/** What a stranger says of itself and a person will read: short, and nothing but printable ASCII. */
export const printable = (text: string, longest: number): string =>
  text.slice(0, longest).replace(/[^ -~]/g, "?");
