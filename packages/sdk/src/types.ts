// What travels, by the names it has in the SDK.
import type { ApiKeyApproval, NewTransaction, TransactionView, UserApproval } from "./generated/api.ts";

export type Hex = `0x${string}`;

export type {
  ApiKey,
  ApiKeyApproval,
  ListedApiKey,
  OAuthTokens,
  OrionApproval as Verdict,
  Receipt,
  Settings,
  Transaction,
  TransactionView,
  UserApproval,
  VerificationService,
} from "./generated/api.ts";
export type { Explanation, Verdict as Report } from "./generated/validator.ts";

export type Status = TransactionView["status"];
export type Phase = TransactionView["phase"];

/** Of an owner with a session, or of a key. */
export type Approval = UserApproval | ApiKeyApproval;

/** A call: whom, how much, and which bytes. */
export type Call = {
  readonly to: Hex;
  /** In wei. */
  readonly value?: bigint;
  readonly data?: Hex;
};

/** The words somebody said, and the call that was made of them. */
export type Proposal = Pick<
  NewTransaction,
  "chainId" | "contextLogs" | "intentSignature" | "supersedes" | "verificationServiceId"
> & {
  /** The person's own words, untouched. */
  readonly userPrompt: string;
  readonly tx: Call;
  /** Whose money moves. The account of the credential, unless it is said. */
  readonly escrowAddress?: Hex;
  /** Undecided until then it is over. */
  readonly deadline?: Date;
};
