// Words of the custodian that end up in our logs and messages. They may hold anything, even what we sent.

const longest = 200;
/** What looks like a token or the beginning of one, whoever's it is. */
const token = /eyJ[\w-]{8,}(?:\.[\w-]*)*/g;

/** One short line without control characters, and without any of the secrets. */
export function makePrintable(text: string, secrets: readonly string[] = []): string {
  const plain = text.replaceAll(/[^\x20-\x7e]+/g, " ").trim();
  // Before it is cut: half a secret is one, too.
  const clean = secrets.reduce(
    (rest, secret) => (secret === "" ? rest : rest.replaceAll(secret, "[removed]")),
    plain,
  );
  return clean.replaceAll(token, "[removed]").slice(0, longest);
}

/** A token repeated in part still holds its claims or its signature. */
export const secretsIn = (apiKey: string, token: string): readonly string[] => [
  token,
  ...token.split("."),
  apiKey,
];
