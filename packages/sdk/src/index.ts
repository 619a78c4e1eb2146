// The public API of `@countersign/sdk`. It has no imports: functions that need viem are in `/viem` and `/receipt`.
export type { AgentOptions, AgentRef, Agents } from "./agents.ts";
export { createCountersign, type Countersign, type CountersignOptions } from "./client.ts";
export { connect, type Connected, type Connection } from "./connect.ts";
export type { ConnectionRequest, Connections } from "./connections.ts";
export type { ContactDraft, Contacts } from "./contacts.ts";
export type { Session } from "./credential.ts";
export { describe, type Descriptions, type ToDescribe } from "./describe.ts";
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  CountersignError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServiceError,
  WaitTimeoutError,
  type Refusal,
} from "./errors.ts";
export type { Events, EventsOptions, TransactionEvent } from "./events.ts";
export type { ExportData } from "./export.ts";
export type { Answer, Ask, ConnectionOptions } from "./http.ts";
export type { Keys } from "./keys.ts";
export type { MandateDraft, MandatePreviewOptions, Mandates, SignedMandate } from "./mandates.ts";
export type { Policies, PolicyDraft, SignedPolicy } from "./policies.ts";
export {
  authorize,
  refreshOAuth,
  registerOAuthClient,
  revokeOAuth,
  type Authorization,
  type OAuthClient,
} from "./oauth.ts";
export type { RequestOptions, SendOptions } from "./options.ts";
export type { SettingsCalls } from "./settings.ts";
export type { SignOut } from "./sign-out.ts";
export type { ListOptions, Page, ReceiptOptions, RejectOptions, Transactions } from "./transactions.ts";
export type * from "./types.ts";
/** Every request and response body by its name in the OpenAPI document, for use with `request`. */
export type * as Api from "./generated/api.ts";
export { validate, type ValidateOptions, type Validation } from "./validate.ts";
export type { WaitOptions } from "./wait.ts";
export type { ChannelChange, ChannelDeliveryPage, ChannelDraft, Channels } from "./channels.ts";
export type { DeliveryListOptions, DeliveryPage, WebhookChange, WebhookDraft, Webhooks } from "./webhooks.ts";
export type { Identity, WhoAmI } from "./whoami.ts";
