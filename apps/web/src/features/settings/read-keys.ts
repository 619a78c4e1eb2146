/** The public keys in a text, one after the other, as PEM. What is between them is left out; whether they are good the service says. */
export const readKeys = (text: string): readonly string[] =>
  text.match(/-----BEGIN [A-Z ]+-----[^-]*-----END [A-Z ]+-----/g) ?? [];
