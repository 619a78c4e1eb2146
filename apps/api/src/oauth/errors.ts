import { defineErrors } from "@countersign/platform/errors";

/** The name of each is its `error` in the body: `invalidGrant` is told as `invalid_grant`. */
export const oauthErrors = defineErrors("oauth", {
  invalidRequest: { status: 400, message: "A parameter is missing, malformed or sent twice" },
  invalidRedirectUri: {
    status: 400,
    message:
      "redirect_uris must be one to ten addresses: https, http on this machine, or a scheme of an application",
  },
  invalidClientMetadata: { status: 400, message: "The client metadata is not valid" },
  invalidClient: {
    status: 401,
    message:
      "The client is not known or did not authenticate itself. If it was registered, register it again",
  },
  unknownClient: {
    status: 400,
    message:
      "This client_id is not known here. Remove the stored registration in the client and register it again",
  },
  documentUnavailable: { status: 400, message: "The client metadata could not be fetched or is not valid" },
  redirectUriUnknown: { status: 400, message: "redirect_uri is not registered for this client" },
  invalidGrant: {
    status: 400,
    message: "The code or token is invalid, expired, used up or of another client",
  },
  invalidScope: {
    status: 400,
    message: "None of these scopes can be given, or more than was granted is asked for",
  },
  invalidTarget: { status: 400, message: "resource is not one of this server" },
  unsupportedGrantType: { status: 400, message: "grant_type must be authorization_code or refresh_token" },
  unsupportedResponseType: { status: 400, message: "response_type must be code" },
  temporarilyUnavailable: { status: 503, message: "Not possible just now; try again" },
});

/** What the consent page and an owner may be told. */
export const consentErrors = defineErrors("consent", {
  decided: { status: 400, message: "This request for access was already decided" },
  otherBrowser: { status: 403, message: "This request for access was started in another browser" },
  unknown: { status: 404, message: "No such request for access" },
  over: { status: 410, message: "This request for access is over" },
  noSuchGrant: { status: 404, message: "No such grant" },
});
