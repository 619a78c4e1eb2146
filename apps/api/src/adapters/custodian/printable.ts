// Texts of the custodian for our logs and messages. They may contain anything, including our own request.

const longest = 200;
/** Anything that looks like a token or the beginning of one. */
const token = /eyJ[\w-]{8,}(?:\.[\w-]*)*/g;

/** Returns one short line without control characters and without any of the secrets. */
export function makePrintable(text: string, secrets: readonly string[] = []): string {
  const plain = text.replaceAll(/[^\x20-\x7e]+/g, " ").trim();
  // Before it is shortened: half a secret is still a leak.
  const clean = secrets.reduce(
    (rest, secret) => (secret === "" ? rest : rest.replaceAll(secret, "[removed]")),
    plain,
  );
  return clean.replaceAll(token, "[removed]").slice(0, longest);
}

/** A part of a token still contains its claims or its signature. */
export const secretsIn = (apiKey: string, token: string): readonly string[] => [
  token,
  ...token.split("."),
  apiKey,
];
