// Request and response types, by their names in the SDK.
import type { ApiKeyApproval, NewTransaction, TransactionView, UserApproval } from "./generated/api.ts";

/** A hex string with 0x prefix. */
export type Hex = `0x${string}`;

export type {
  ApiKey,
  ApiKeyApproval,
  ListedApiKey,
  Mandate,
  MandateRequest,
  NeedsOwner,
  OAuthTokens,
  OrionApproval as Verdict,
  Receipt,
  Settings,
  Transaction,
  TransactionView,
  UserApproval,
  VerificationService,
} from "./generated/api.ts";
export type {
  Assessment,
  Description,
  Explanation,
  NodeResult,
  PostValidateData as ValidateRequest,
  Verdict as Report,
} from "./generated/validator.ts";

/** The status of a transaction. Send only on APPROVED. */
export type Status = TransactionView["status"];
/** The step within a status. */
export type Phase = TransactionView["phase"];

/** A decision of an owner with a session, or of a key. */
export type Approval = UserApproval | ApiKeyApproval;

/** A call: recipient, value and calldata. */
export type Call = {
  readonly to: Hex;
  /** In wei. Default: 0. */
  readonly value?: bigint;
  readonly data?: Hex;
};

/** A user's request, and the transaction that an agent built for it. */
export type Proposal = Pick<
  NewTransaction,
  "chainId" | "contextLogs" | "intentSignature" | "supersedes" | "verificationServiceId"
> & {
  /** The user's request, unchanged. At most 16,000 characters. */
  readonly userPrompt: string;
  readonly tx: Call;
  /** The wallet whose funds move. Default: the account of the credential. */
  readonly escrowAddress?: Hex;
  /** Expires if undecided by then. Default: 24 hours; allowed: five minutes to seven days. */
  readonly deadline?: Date;
};
