// The published vocabulary of policies. One request is made for each effect of a transaction and beneficiary, and one for the
// transaction as a whole (action "execute").

/** Members of the contexts that differ between what a policy and what an invariant can ask about. */
type Members = { readonly effect: string; readonly whole: string; readonly day: string };

const schemaWith = ({ effect, whole, day }: Members): string => `namespace Countersign {
  entity Account;
  // An API key (key:<id>) or a connected program (oauth:<id>).
  entity Agent in [Account];
  // A CAIP-10 id, such as eip155:1:0x….
  entity Recipient;

  // The most that can leave, in millionths of a token, rounded up. unbounded: more than 2^53-1 of them.
  type Amount = { micro: Long, unbounded: Bool };
  // In the policy's time zone. hour: 0 to 23. weekday: 1 (Monday) to 7.
  type Clock = { at: datetime, hour: Long, weekday: Long };

  type Effect = {
    chain: Long,
    // A CAIP-19 id with "native" for the chain's own currency, such as eip155:1/native.
    asset?: String,
    // Absent if it has no limit or cannot be counted.
    amount?: Amount,
    ${effect},
    // Whether the account has paid, or given an allowance to, this recipient before.
    recipient: { known: Bool },
    // Whether the contract is unknown, so that it was checked by its effect on one block only.
    byEffect: Bool,
    request: { signed: Bool },
    clock: Clock,
  };
  type Whole = {
    chain: Long,
    effects: Long,
    ${whole},
    // Transactions of the account approved in the last 24 hours, with this one.
    day: ${day},
    // Whether one of the effects is of an unknown contract.
    byEffect: Bool,
    request: { signed: Bool },
    clock: Clock,
  };

  action execute appliesTo { principal: [Agent], resource: [Account], context: Whole };

  // Value leaves.
  action move;
  // Another account may act for this one.
  action authorize;
  action transfer, swap, wrap, unwrap, supply, withdraw, borrow, repay, stake, unstake, claim, add_liquidity,
    remove_liquidity, bridge, mint, buy_nft, sell_nft in [move]
    appliesTo { principal: [Agent], resource: [Recipient, Account], context: Effect };
  action approve, revoke, delegate, admin in [authorize]
    appliesTo { principal: [Agent], resource: [Recipient, Account], context: Effect };
}
`;

/** The schema in Cedar's own notation. Members are only added, never changed: signed policies refer to them. */
export const schemaText = schemaWith({
  effect: "usd?: decimal",
  whole: "usd?: decimal",
  day: "{ count: Long }",
});

// Sums of the day's equal transactions. ToNew: to recipients that were never paid.
const sums = "{ count: Long, usd: decimal, usdToNew: decimal, micro: Long, microToNew: Long }";

/** The schema of invariants. They also see what a policy does not: dollars, and sums of a day. */
export const invariantSchemaText = schemaWith({
  effect: `usd: decimal,\n    effects: Long,\n    day: ${sums}`,
  whole: "usd: decimal",
  day: sums,
});

/** Acts of the validator that the schema names. The owner is asked about others. */
export const acts: ReadonlySet<string> = new Set([
  ...[
    "transfer",
    "swap",
    "wrap",
    "unwrap",
    "supply",
    "withdraw",
    "borrow",
    "repay",
    "stake",
    "unstake",
    "claim",
  ],
  ...["add_liquidity", "remove_liquidity", "bridge", "mint", "buy_nft", "sell_nft"],
  ...["approve", "revoke", "delegate", "admin"],
]);

/** Facts that may be missing. A rule that reads one cannot be decided without it, so the owner is asked. */
export const optionalFacts = ["asset", "amount", "usd"] as const;
