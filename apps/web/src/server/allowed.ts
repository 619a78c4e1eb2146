// The calls that pages may make through this server. Calls that return tokens are excluded.

export type AllowedCall = {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path template of the main service, with parameters in braces. */
  readonly path: `/${string}`;
  /** Needs no session, so no token is sent. */
  readonly open?: true;
  /** The main service needs its browser cookie, which links the consent page to the authorization request. */
  readonly marked?: true;
  /** An endless stream. */
  readonly endless?: true;
  /** Whether a body needs the wallet's signature: a session alone must not give agents more freedom. */
  readonly needsSignature?: (body: Buffer) => boolean;
};

/** Only "You approve everything" may be chosen with a session. Unreadable bodies count as loosening. */
function loosensApprovals(body: Buffer): boolean {
  try {
    const { executionType } = JSON.parse(body.toString()) as { readonly executionType?: unknown };
    return executionType !== 1;
  } catch {
    return true;
  }
}

const signIn: readonly AllowedCall[] = [
  { method: "POST", path: "/auth/siwe/nonce", open: true },
  { method: "GET", path: "/auth/sessions" },
  { method: "DELETE", path: "/auth/sessions/{id}" },
];

const programs: readonly AllowedCall[] = [
  { method: "GET", path: "/auth/connect/info" },
  { method: "POST", path: "/auth/connect/approve" },
  { method: "GET", path: "/oauth/session-info", open: true, marked: true },
  { method: "POST", path: "/oauth/approve", marked: true },
  { method: "POST", path: "/oauth/deny", marked: true },
  { method: "GET", path: "/oauth/grants" },
  { method: "DELETE", path: "/oauth/grants/{id}" },
  { method: "GET", path: "/user-api-keys" },
  { method: "POST", path: "/user-api-keys" },
  { method: "DELETE", path: "/user-api-keys/{apiKeyId}" },
];

const agents: readonly AllowedCall[] = [
  { method: "GET", path: "/agents" },
  { method: "GET", path: "/agents/{kind}/{id}" },
  { method: "PUT", path: "/agents/{kind}/{id}/pause" },
  { method: "DELETE", path: "/agents/{kind}/{id}/pause" },
  // The wallet's signature over the terms is in the body, and the main service requires it.
  { method: "POST", path: "/mandates/draft" },
  { method: "POST", path: "/mandates/preview" },
  { method: "POST", path: "/mandates" },
  { method: "GET", path: "/mandates" },
  { method: "DELETE", path: "/mandates/{id}" },
  { method: "GET", path: "/mandates/requests" },
  { method: "DELETE", path: "/mandates/requests/{id}" },
];

const settings: readonly AllowedCall[] = [
  { method: "GET", path: "/settings" },
  { method: "PUT", path: "/settings", needsSignature: loosensApprovals },
  // Shows or hides the public profile. It cannot change who approves.
  { method: "PATCH", path: "/settings" },
  { method: "POST", path: "/settings/register-provider-quorum" },
  { method: "GET", path: "/settings/provider-quorum/{type}" },
  { method: "PUT", path: "/settings/provider-quorum/{type}" },
  { method: "DELETE", path: "/settings/provider-quorum/{type}" },
  { method: "POST", path: "/custody/generate-csr/{type}" },
  { method: "POST", path: "/custody/complete/{type}" },
  { method: "POST", path: "/custody/validate/{type}" },
  { method: "GET", path: "/custody/integration/{type}" },
];

/** Names for display. They change no check and no decision. */
const contacts: readonly AllowedCall[] = [
  { method: "GET", path: "/contacts" },
  { method: "PUT", path: "/contacts/{address}" },
  { method: "DELETE", path: "/contacts/{address}" },
  { method: "GET", path: "/transactions/{requestHash}/recipients" },
];

const notifications: readonly AllowedCall[] = [
  { method: "GET", path: "/channel-kinds" },
  { method: "POST", path: "/channels/{id}/code" },
  { method: "POST", path: "/channels/{id}/confirm" },
  ...(["/channels", "/webhooks"] as const).flatMap((list): AllowedCall[] => [
    { method: "GET", path: list },
    { method: "POST", path: list },
    { method: "PATCH", path: `${list}/{id}` },
    { method: "DELETE", path: `${list}/{id}` },
    { method: "POST", path: `${list}/{id}/test` },
    { method: "GET", path: `${list}/{id}/deliveries` },
    { method: "POST", path: `${list}/{id}/deliveries/{deliveryId}/redeliver` },
  ]),
  { method: "POST", path: "/webhooks/{id}/rotate-secret" },
];

const transactions: readonly AllowedCall[] = [
  { method: "GET", path: "/transactions/users/{ethereumAddress}" },
  { method: "GET", path: "/transactions/{requestHash}" },
  { method: "GET", path: "/transactions/{requestHash}/receipt" },
  { method: "POST", path: "/transactions/{requestHash}/approvals" },
  { method: "GET", path: "/events", endless: true },
];

const publicPages: readonly AllowedCall[] = [
  { method: "GET", path: "/verification-services/active", open: true },
  { method: "GET", path: "/public/agents/{ethereumAddress}", open: true },
  { method: "GET", path: "/public/agents/{ethereumAddress}/transactions", open: true },
  { method: "GET", path: "/public/agents/{ethereumAddress}/transactions/{requestHash}", open: true },
  { method: "GET", path: "/public/agents/{ethereumAddress}/metrics", open: true },
  { method: "POST", path: "/public/validate", open: true },
];

export const allowedCalls: readonly AllowedCall[] = [
  ...signIn,
  ...programs,
  ...agents,
  ...settings,
  ...contacts,
  ...notifications,
  ...transactions,
  ...publicPages,
];
