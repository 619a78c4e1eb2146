/** The parameters that a client gets through the browser (RFC 6749, 4.1.2; RFC 9207 for `iss`). */
type Answer = {
  readonly code?: string;
  readonly error?: string;
  readonly error_description?: string;
  readonly state?: string | null;
};

const ours = new Set(["code", "error", "error_description", "error_uri", "state", "iss"]);

const nameOf = (pair: string): string => [...new URLSearchParams(pair).keys()][0] ?? "";

/**
 * Appends our answer to the client's address. Its own query stays as written, except for parameters that only
 * we may set, which are dropped: of two codes a client might read the wrong one.
 */
export function answerUri(redirectUri: string, issuer: string, answer: Answer): string {
  const at = redirectUri.indexOf("?");
  const [place, query] =
    at === -1 ? [redirectUri, ""] : [redirectUri.slice(0, at), redirectUri.slice(at + 1)];
  const kept = query.split("&").filter((pair) => pair !== "" && !ours.has(nameOf(pair)));
  const said = Object.entries({ ...answer, iss: issuer })
    .filter(([, value]) => typeof value === "string")
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return `${place}?${[...kept, ...said].join("&")}`;
}
