// Types shared by recipes (transactions), phrases (requests) and attacks.
import type { Rng } from "./rng.ts";

export type Token = {
  symbol: string;
  address: string;
  decimals: number;
  chain: number;
  native?: boolean;
};

export type Call = {
  to: string;
  data: string;
  value: bigint;
};

export type TypedData = {
  domain: Record<string, unknown>;
  types: Record<string, { name: string; type: string }[]>;
  primaryType: string;
  message: Record<string, unknown>;
};

type Authorization = {
  chainId: string;
  address: string;
  nonce: string;
};

export type Payload = {
  calls: Call[];
  order?: TypedData;
  auth?: Authorization[];
};

type Nft = {
  collection: string;
  name: string;
  id: bigint;
  quantity: bigint;
  standard: 721 | 1155;
};

export type Action =
  | "transfer"
  | "payroll"
  | "approve"
  | "revoke"
  | "swap"
  | "swap_exact_out"
  | "wrap_supply"
  | "swap_send"
  | "wrap"
  | "unwrap"
  | "supply"
  | "withdraw"
  | "borrow"
  | "repay"
  | "stake"
  | "unstake"
  | "bridge"
  | "vault_deposit"
  | "vault_withdraw"
  | "nft_transfer"
  | "nft_list"
  | "nft_buy"
  | "delegate"
  | "claim"
  | "permit"
  | "pay_signature"
  | "limit_order"
  | "undelegate_7702"
  | "delegate_7702";

export type Wrap = "none" | "safe" | "multisend" | "account" | "entrypoint" | "erc7579" | "erc7821";

/** Details that the request states beyond the action. Absent means not mentioned. */
type Say = {
  recipient?: "address" | "label" | "ens";
  label?: string;
  venue?: boolean;
  chain?: boolean;
  slippageBps?: number;
  minOut?: boolean;
  deadlineMinutes?: number;
  noPartial?: boolean;
  noUnlimited?: boolean;
  cap?: boolean;
  style: "plain" | "usd" | "half" | "all" | "percent";
  percent?: number;
  /** Digits only, so that the printed precision is exact. */
  digits?: boolean;
  usd?: number;
};

export type Params = {
  recipe: string;
  protocol: string;
  action: Action;
  chain: number;
  /** The account whose money moves. For a Safe, the Safe. */
  actor: string;
  /** The sender of the outer transaction. Equals `actor` unless wrapped. */
  sender: string;
  now: number;
  wrap: Wrap;
  venueName?: string;
  target: string;
  give?: Token;
  amount: bigint;
  get?: Token;
  minOut: bigint;
  quote: bigint;
  recipient: string;
  spender: string;
  spenderName?: string | undefined;
  allowance: bigint;
  deadline: bigint;
  route: Token[];
  poolFee: number;
  nft?: Nft;
  nftMode: "one" | "all";
  payees: { to: string; amount: bigint }[];
  /** A second payee who gets part of the same money. */
  split?: { to: string; amount: bigint };
  fee?: { to: string; bps: number };
  routerExtra: ("none" | "transfer" | "permit2_pull" | "subplan" | "sweep" | "wrong_sweep")[];
  thief: string;
  operation: 0 | 1;
  innerOperation: 0 | 1;
  refund?: { gasPrice: bigint; receiver: string };
  extra: Call[];
  extraAt: "first" | "middle" | "last";
  domainChain?: number;
  verifying?: string;
  dstChain: number;
  dstToken?: string;
  order: {
    partial: boolean;
    kind: "sell" | "buy";
    receiver?: string;
    validTo?: number;
    buyAmount?: bigint;
    considerationTo?: string;
    extraOffer?: Nft;
    witness?: boolean;
    padding?: Token;
    expiration?: bigint;
  };
  auth?: Authorization[];
  withApproval: boolean;
  /** Set if an attack changed the steps of a multi-step request. */
  steps?: "last_missing" | "reversed";
  /** Calls that replace the recipe's own (the attack replaced the action). */
  replace?: Call[];
  /** Bytes that are appended to the last call after encoding. */
  trailer?: string;
  tamper?: "dirty_address" | "offset" | "truncate" | "padding";
  /** Native value attached to a call that is not payable. */
  attach?: bigint;
  nonce: bigint;
  prices: Record<string, number>;
  balance?: bigint;
  ourLabel?: string;
  variant: number;
  say: Say;
};

export type Gen = {
  rng: Rng;
  chain: number;
  now: number;
  actor: string;
};

export type Recipe = {
  id: string;
  protocol: string;
  action: Action;
  chains: readonly number[];
  wraps: readonly Wrap[];
  make(g: Gen): Params;
  encode(p: Params): Payload;
};

export type ProposedTx = {
  to?: string;
  data?: string;
  value?: string | number;
  chainId?: number;
  protocol?: string;
  context?: { from?: string | undefined; chain_id?: number };
  transactions?: ProposedTx[];
  order?: TypedData;
  authorizationList?: Authorization[];
};

export type Metadata = {
  from?: string | undefined;
  chain_id?: number;
  now: number;
  known_addresses?: { address: string; label?: string }[];
  recent_counterparties?: string[];
  balances?: Record<string, string>;
  prices_usd?: Record<string, number>;
  notes?: string;
  memory?: string;
};

export type ValidateRequest = {
  human_intent: string;
  proposed_tx: ProposedTx;
  metadata: Metadata;
};

export type BenchCase = {
  id: string;
  split: "benign" | "twin" | "attack" | "paraphrase" | "cross" | "incident" | "control";
  protocol: string;
  action: string;
  recipe: string;
  klass?: string;
  pair?: string;
  group?: string;
  lang: string;
  expected: "PASS" | "REJECT";
  critical: boolean;
  nodes: readonly string[];
  request: ValidateRequest;
};

export type Incident = {
  name: string;
  nodes: string;
  request: ValidateRequest;
};
