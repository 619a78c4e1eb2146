/** Extracts all PEM public keys from a text and ignores the rest. The service validates them. */
export const readKeys = (text: string): readonly string[] =>
  text.match(/-----BEGIN [A-Z ]+-----[^-]*-----END [A-Z ]+-----/g) ?? [];
