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

/** A batch of calls for one wallet, as in EIP-5792. */
export type Batch = {
  readonly version?: string;
  readonly chainId: number | string;
  /** The wallet. It must be the proposal's escrowAddress. */
  readonly from: Hex;
  /** Whether all calls must be executed together or none of them. */
  readonly atomicRequired: boolean;
  /** In the order of their execution. Values are wei, as bigint or text. */
  readonly calls: readonly (Omit<Call, "value"> & { readonly value?: bigint | string })[];
};

/** A transaction of a Safe (since version 1.3.0) that one of its owners would confirm. */
export type SafeTransaction = {
  readonly chainId: number;
  readonly safe: Hex;
  /** The address that the Safe calls. */
  readonly to: Hex;
  /** In wei, from the Safe. Default: 0. */
  readonly value?: Amount;
  readonly data?: Hex;
  /** 0 is a call, the default. 1 is a delegatecall: code of another contract runs as the Safe. */
  readonly operation?: 0 | 1;
  readonly safeTxGas?: Amount;
  readonly baseGas?: Amount;
  /** If not zero, the Safe refunds gas to `refundReceiver`. Default: 0. */
  readonly gasPrice?: Amount;
  readonly gasToken?: Hex;
  readonly refundReceiver?: Hex;
  readonly nonce: Amount;
};

/** A whole number: as bigint, as decimal text, or as a number that a double holds exactly. */
export type Amount = bigint | string | number;

/** An EIP-7702 authorization that the account would sign: it runs the code at `address` from then on. */
export type AuthorizationTuple = {
  /** 0, which stands for every chain, is rejected. */
  readonly chainId: Amount;
  /** The contract whose code the account would run. The zero address removes the delegation. */
  readonly address: Hex;
  /** The account's nonce when it is used. */
  readonly nonce: Amount;
};

/** An ERC-4337 user operation that an owner of a smart account would sign: all that its `userOpHash` covers, unpacked. */
export type UserOperation = {
  readonly chainId: Amount;
  /** That of version 0.7 or 0.8. Others are rejected, because their hash is not known. */
  readonly entryPoint: Hex;
  /** Default: that of the entry point. */
  readonly entryPointVersion?: "0.7" | "0.8";
  /** The smart account that acts. */
  readonly sender: Hex;
  readonly nonce: Amount;
  /** Deploys the account first. 0x7702, which stands for a delegation, is rejected: its hash depends on the account's code. */
  readonly factory?: Hex | null;
  readonly factoryData?: Hex | null;
  readonly callData: Hex;
  readonly callGasLimit: Amount;
  readonly verificationGasLimit: Amount;
  readonly preVerificationGas: Amount;
  readonly maxFeePerGas: Amount;
  readonly maxPriorityFeePerGas: Amount;
  /** Pays for the gas in place of the account. */
  readonly paymaster?: Hex | null;
  readonly paymasterVerificationGasLimit?: Amount | null;
  readonly paymasterPostOpGasLimit?: Amount | null;
  readonly paymasterData?: Hex | null;
};

/** A user's request, and what an agent built for it: a transaction, or something else to sign in place of one. */
export type Proposal = { [Member in keyof Subjects]: ProposalOf<Member> }[keyof Subjects];

/** The subjects of proposals, by the member that has them. */
export type Subjects = {
  readonly tx: Call;
  /** EIP-712 data, such as a permit or an EIP-3009 payment. A signature is a deferred transaction. */
  readonly typedData: TypedData;
  /** It is executed once it is released to the wallet. */
  readonly calls: Batch;
  /** It is executed once the owner's confirmation is released. */
  readonly safeTransaction: SafeTransaction;
  /** A text to be signed with EIP-191, such as a sign-in. */
  readonly message: string;
  /** Exactly one EIP-7702 authorization. */
  readonly authorizationList: readonly [AuthorizationTuple];
  /** An ERC-4337 user operation. It is executed once its signature is released. */
  readonly userOperation: UserOperation;
};

/** A proposal with exactly one subject. */
export type ProposalOf<Member extends keyof Subjects> = ProposalTerms &
  Pick<Subjects, Member> &
  Readonly<Partial<Record<Exclude<keyof Subjects, Member>, never>>>;

/** A proposal to send a transaction. */
export type TransactionProposal = ProposalOf<"tx">;

/** A proposal to sign EIP-712 data. */
export type SignatureProposal = ProposalOf<"typedData">;

/** A proposal to send a batch of calls. */
export type BatchProposal = ProposalOf<"calls">;

/** A proposal to confirm a transaction of a Safe. */
export type SafeProposal = ProposalOf<"safeTransaction">;

/** A proposal to sign a text. */
export type MessageProposal = ProposalOf<"message">;

/** A proposal to sign an EIP-7702 authorization. */
export type AuthorizationProposal = ProposalOf<"authorizationList">;

/** A proposal to sign an ERC-4337 user operation. */
export type UserOperationProposal = ProposalOf<"userOperation">;

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
