import { defineErrors } from "@countersign/platform/errors";

/** The name of each is its `error` in the body: `invalidGrant` is sent as `invalid_grant`. */
export const oauthErrors = defineErrors("oauth", {
  invalidRequest: { status: 400, message: "A parameter is missing, malformed or sent twice" },
  invalidRedirectUri: {
    status: 400,
    message:
      "redirect_uris must be one to ten addresses: https, http on this machine, or a private-use scheme",
  },
  invalidClientMetadata: { status: 400, message: "The client metadata is not valid" },
  invalidClient: {
    status: 401,
    message: "Unknown client, or its authentication failed. If it was registered, register it again",
  },
  unknownClient: {
    status: 400,
    message: "Unknown client_id. Remove the stored registration in the client and register it again",
  },
  documentUnavailable: { status: 400, message: "The client metadata could not be fetched or is not valid" },
  redirectUriUnknown: { status: 400, message: "redirect_uri is not registered for this client" },
  invalidGrant: {
    status: 400,
    message: "The code or token is invalid, expired, already used or of another client",
  },
  invalidScope: {
    status: 400,
    message: "None of these scopes can be granted, or they exceed the grant",
  },
  invalidTarget: { status: 400, message: "resource does not name this server" },
  unsupportedGrantType: { status: 400, message: "grant_type must be authorization_code or refresh_token" },
  unsupportedResponseType: { status: 400, message: "response_type must be code" },
  temporarilyUnavailable: { status: 503, message: "Temporarily unavailable, try again" },
});

/** Errors that the consent page and owners see. */
export const consentErrors = defineErrors("consent", {
  decided: { status: 400, message: "This request for access was already decided" },
  otherBrowser: { status: 403, message: "This request for access was started in another browser" },
  unknown: { status: 404, message: "Request for access not found" },
  over: { status: 410, message: "This request for access has expired" },
  noSuchGrant: { status: 404, message: "Grant not found" },
});
