/** A SHA-256 in base64url. */
export const isCodeChallenge = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/** RFC 7636, 4.1. Malformed verifiers are rejected before comparing, so they do not count as guesses. */
export const isCodeVerifier = (text: string | undefined): text is string =>
  text !== undefined && /^[A-Za-z0-9\-._~]{43,128}$/.test(text);
