// Proves that the same program starts and finishes a flow (RFC 7636, S256).

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

export const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

export async function makePkce(): Promise<{ readonly verifier: string; readonly challenge: string }> {
  const verifier = randomText();
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return { verifier, challenge: base64url(new Uint8Array(hash)) };
}
