// Request and response types, by their names in the SDK.
import type { ApiKeyApproval, NewTransaction, TransactionView, UserApproval } from "./generated/api.ts";

/** A hex string with 0x prefix. */
export type Hex = `0x${string}`;

export type {
  Agent,
  AgentDetail,
  ApiKey,
  ApiKeyApproval,
  Channel,
  ChannelDelivery,
  ChannelKind,
  Contact,
  ListedApiKey,
  LookAlike,
  Mandate,
  MandatePreview,
  MandateRequest,
  Price,
  Policy,
  PolicyCheck,
  PolicyDecision,
  PolicyCounterexamples,
  PolicyDryRun,
  NeedsOwner,
  OAuthTokens,
  OrionApproval as Verdict,
  Receipt,
  Recipient,
  Recipients,
  Settings,
  Transaction,
  TransactionView,
  UserApproval,
  VerificationService,
  Webhook,
  WebhookDelivery,
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

/** EIP-712 data, as wallets and libraries take it. */
export type TypedData = {
  readonly domain: object;
  readonly types: object;
  readonly primaryType: string;
  readonly message: object;
};

/** A user's request, and the transaction or the data to sign that an agent built for it. */
export type Proposal = TransactionProposal | SignatureProposal;

/** A proposal to send a transaction. */
export type TransactionProposal = ProposalTerms & { readonly tx: Call; readonly typedData?: never };

/** A proposal to sign EIP-712 data, such as a permit or an EIP-3009 payment. A signature is a deferred transaction. */
export type SignatureProposal = ProposalTerms & { readonly typedData: TypedData; readonly tx?: never };

/** The members that every proposal has. */
export type ProposalTerms = Pick<
  NewTransaction,
  "chainId" | "contextLogs" | "intentSignature" | "supersedes" | "verificationServiceId"
> & {
  /** The user's request, unchanged. At most 16,000 characters. */
  readonly userPrompt: string;
  /** The wallet whose funds move. Default: the account of the credential. */
  readonly escrowAddress?: Hex;
  /** Expires if undecided by then. Default: 24 hours; allowed: five minutes to seven days. */
  readonly deadline?: Date;
};
