/**
 * Things the caller of a contract picks that decide what the call does, and that no amount, asset or party of an effect holds: a
 * pool, a market, a vote's direction. A choice counts only if our tables know it, the request states it, or facts prove it.
 */

/** `otherwise`: what it means that none of these holds. */
type About = {
  readonly noun: string;
  /** `differs`: the value itself shows that an unnamed party gains. */
  readonly otherwise: "not_checked" | "differs";
};

const contractToKnow = (noun: string): About => ({ noun, otherwise: "not_checked" });
const mustBeStated = contractToKnow;

export const choiceKinds = {
  /** A contract that acts in the owner's place: a Safe, a smart account. */
  account: contractToKnow("account"),
  /** The contract whose control changes. */
  contract: contractToKnow("contract"),
  pool: contractToKnow("pool"),
  market: contractToKnow("market"),
  oracle: contractToKnow("oracle"),
  vault: contractToKnow("vault"),
  exchange: contractToKnow("exchange"),
  executor: contractToKnow("executor"),
  adapter: contractToKnow("adapter"),
  hook: contractToKnow("hook"),
  implementation: contractToKnow("implementation"),
  distributor: contractToKnow("distributor"),
  /** Who runs a validator, or is delegated to. */
  operator: contractToKnow("operator"),
  strategy: contractToKnow("strategy"),
  /** The party that later decides, off chain, how an order or claim ends. */
  arbiter: contractToKnow("arbiter"),
  paymaster: contractToKnow("paymaster"),
  resolver: contractToKnow("resolver"),

  /** Ids that select what is paid, moved or changed. */
  order: mustBeStated("order"),
  request: mustBeStated("request"),
  position: mustBeStated("position"),
  proposal: mustBeStated("proposal"),
  vote: mustBeStated("vote"),
  weight: mustBeStated("voting weight"),
  /** An amount counted in shares of a position: how much that is, the bytes do not tell. */
  shares: mustBeStated("number of shares"),
  role: mustBeStated("role"),
  module_type: mustBeStated("module type"),
  setting: mustBeStated("setting"),
  duration: mustBeStated("duration"),
  /** The kind of interest a debt bears. */
  rate: mustBeStated("interest rate"),
  /** A permission that was given before, by its hash or nonce. */
  permission: mustBeStated("permission"),
  name: mustBeStated("name"),
  validator_key: mustBeStated("validator key"),
  /** The hash of a validator's deposit, its signature included. */
  deposit: mustBeStated("data root"),
  /** A text to be signed, and the site that a sign-in is for. */
  message: mustBeStated("message"),
  site: mustBeStated("site"),
  /** Bytes that run as code or are handed to a contract: an initialisation, a callback, a message to another chain. */
  code: mustBeStated("code"),
  /** The cost of a message to another chain, if it is higher than usual. */
  message_fee: mustBeStated("message fee"),

  /** The party that receives a remainder or a refund. */
  refund_receiver: { noun: "refund receiver", otherwise: "differs" },
} as const satisfies Readonly<Record<string, About>>;

export type ChoiceKind = keyof typeof choiceKinds;
