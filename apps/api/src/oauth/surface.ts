import { z } from "zod";
import { requestErrors, type Surface } from "@countersign/platform/errors";

/** Errors that the platform raises, by their names in RFC 6749. */
const named: Readonly<Record<string, string>> = {
  [requestErrors.invalid.code]: "invalid_request",
  [requestErrors.ambiguousCredentials.code]: "invalid_request",
  [requestErrors.bodyTooLarge.code]: "invalid_request",
  [requestErrors.unsupportedMediaType.code]: "invalid_request",
  [requestErrors.tooMany.code]: "too_many_requests",
  [requestErrors.internal.code]: "server_error",
  [requestErrors.notReady.code]: "temporarily_unavailable",
  // Clients know no other name for these three. The message is more specific.
  "oauth.unknown-client": "invalid_client",
  "oauth.document-unavailable": "invalid_client_metadata",
  "oauth.redirect-uri-unknown": "invalid_request",
};

/** Returns the `error` that an OAuth client reads. */
export const errorNameOf = (code: string): string =>
  named[code] ?? code.replace(/^oauth\./, "").replaceAll("-", "_");

/** RFC 6749 allows only these characters there. */
export const describable = (message: string): string =>
  message.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, "?");

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0) ?? 0};`);

/** The members of RFC 6749 in addition to the service's own, so that both kinds of clients find theirs. */
export const oauthSurface: Surface = {
  name: "oauth",
  invalidStatus: 400,
  alsoInvalid: [requestErrors.unsupportedMediaType.code],
  schema: z
    .object({
      error: z.string(),
      error_description: z.string(),
      statusCode: z.number().int(),
      message: z.string(),
    })
    .meta({ id: "OAuthError", description: "Every error of the OAuth endpoints." }),
  render: ({ code, status, message }) => ({
    error: errorNameOf(code),
    error_description: describable(message),
    statusCode: status,
    message,
  }),
};

/** For the one endpoint that a browser opens: shows the user what went wrong and what to do. */
export const authorizePageSurface: Surface = {
  ...oauthSurface,
  renderPage: ({ code, message }) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Access request failed</title></head>
<body>
<h1>This program could not ask for access</h1>
<p>${escapeHtml(message)}.</p>
<p>Nothing was shared. Error: <code>${escapeHtml(errorNameOf(code))}</code></p>
</body>
</html>
`,
};
