/** V4 plans that change positions. The currencies of an existing position stand only in what is settled or taken beside it. */
import { decodeBlob } from "../../bytes/decode.ts";
import {
  atLeast,
  atMost,
  exactly,
  nft,
  token,
  unsaid,
  native,
  type Amount,
  type Asset,
  type Party,
} from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView, Draft } from "../../protocol.ts";
import { wrapHeld } from "./router-payments.ts";
import { assetAt, flow, forwardAll, lower } from "./swap-draft.ts";
import { POOL_KEY, readV4Plan, v4Party, type V4Plan } from "./v4-plan.ts";

const CONTRACT_BALANCE = 1n << 255n;

/** A change of one position, before it is known who pays and who receives. */
type Change = {
  readonly kind: "add" | "remove";
  readonly currencies: readonly Address[] | null;
  readonly amounts: readonly [bigint, bigint];
  readonly owner: Party | null;
  readonly position: bigint | null;
  /** Zero liquidity taken out: only the fees that have gathered. */
  readonly onlyFees: boolean;
  readonly at: string;
};

type Found = { readonly changes: Change[]; readonly after: Draft[] };

const MINT = `${POOL_KEY}, int24 tickLower, int24 tickUpper, uint256 liquidity, uint128 amount0Max, uint128 amount1Max, address owner, bytes hookData`;
const MINT_FROM_CREDIT = `${POOL_KEY}, int24 tickLower, int24 tickUpper, uint128 amount0Max, uint128 amount1Max, address owner, bytes hookData`;
const INCREASE = "uint256 tokenId, uint256 liquidity, uint128 amount0Max, uint128 amount1Max, bytes hookData";
const INCREASE_FROM_CREDIT = "uint256 tokenId, uint128 amount0Max, uint128 amount1Max, bytes hookData";
const DECREASE = "uint256 tokenId, uint256 liquidity, uint128 amount0Min, uint128 amount1Min, bytes hookData";
const BURN = "uint256 tokenId, uint128 amount0Min, uint128 amount1Min, bytes hookData";

type PoolKey = { readonly currency0: string; readonly currency1: string };

type Reader = (found: Found, data: Hex, call: CallView, at: string) => void;

const base = { currencies: null, owner: null, position: null, onlyFees: false } as const;

const readMint =
  (form: string, first: number): Reader =>
  ({ changes }, data, call, at) => {
    const values = decodeBlob(form, data);
    const key = values[0] as PoolKey;
    changes.push({
      ...base,
      kind: "add",
      currencies: [lower(key.currency0), lower(key.currency1)],
      amounts: [values[first] as bigint, values[first + 1] as bigint],
      owner: v4Party(String(values[first + 2]), call),
      at,
    });
  };

const readIncrease =
  (form: string, first: number): Reader =>
  ({ changes }, data, _call, at) => {
    const values = decodeBlob(form, data);
    const amounts = [values[first] as bigint, values[first + 1] as bigint] as const;
    changes.push({ ...base, kind: "add", amounts, position: values[0] as bigint, at });
  };

const readDecrease: Reader = ({ changes }, data, _call, at) => {
  const [position, liquidity, first, second] = decodeBlob(DECREASE, data) as readonly bigint[] as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  changes.push({
    ...base,
    kind: "remove",
    amounts: [first, second],
    position,
    onlyFees: liquidity === 0n,
    at,
  });
};

const readBurn: Reader = ({ changes }, data, _call, at) => {
  const [position, first, second] = decodeBlob(BURN, data) as readonly bigint[] as [bigint, bigint, bigint];
  changes.push({ ...base, kind: "remove", amounts: [first, second], position, at });
};

const readSweep: Reader = ({ after }, data, call, at) => {
  const [currency, to] = decodeBlob("address currency, address to", data) as readonly [string, string];
  after.push(forwardAll(assetAt(currency), 0n, v4Party(to, call), { amount: at, receiver: `${at}.to` }));
};

const held = (amount: bigint): Amount =>
  amount === CONTRACT_BALANCE || amount === 0n
    ? { ...atMost(CONTRACT_BALANCE), everything: true }
    : exactly(amount);

const readWrap: Reader = ({ after }, data, call, at) => {
  const [amount] = decodeBlob("uint256 amount", data) as readonly [bigint];
  after.push(wrapHeld(held(amount), "venue", call, `${at}.amount`));
};

const readUnwrap: Reader = ({ after }, data, call, at) => {
  const [amount] = decodeBlob("uint256 amount", data) as readonly [bigint];
  const wrapped = call.registry.chain(call.chain)?.wrapped;
  const from: Asset = wrapped ? token(wrapped) : unsaid("this chain's wrapped coin, which we do not know");
  const gives = [flow(from, held(amount), `${at}.amount`)];
  after.push({
    act: "unwrap",
    payer: "venue",
    gives,
    gets: [flow(native, held(amount), at)],
    receiver: "venue",
  });
};

const readers: Readonly<Record<number, Reader>> = {
  0x00: readIncrease(INCREASE, 2),
  0x01: readDecrease,
  0x02: readMint(MINT, 4),
  0x03: readBurn,
  0x04: readIncrease(INCREASE_FROM_CREDIT, 1),
  0x05: readMint(MINT_FROM_CREDIT, 3),
  0x14: readSweep,
  0x15: readWrap,
  0x16: readUnwrap,
};

const FIRST = "the first currency of the position, which the plan does not name";
const SECOND = "the second currency of the position, which the plan does not name";

/** The pool's two currencies in its own order, where the plan names exactly two. */
const currenciesIn = (plan: V4Plan): readonly Address[] | null => {
  const named = new Set([...plan.settles, ...plan.takes, ...plan.closes].map(({ currency }) => currency));
  return named.size === 2 ? [...named].sort() : null;
};

const assetsOf = (change: Change, plan: V4Plan): readonly [Asset, Asset] => {
  const [first, second] = change.currencies ?? currenciesIn(plan) ?? [];
  return [
    first === undefined ? unsaid(FIRST) : assetAt(first),
    second === undefined ? unsaid(SECOND) : assetAt(second),
  ];
};

const payerOf = (plan: V4Plan, call: CallView): Party =>
  plan.settles.length > 0 && plan.settles.every(({ payer }) => payer === "venue") ? "venue" : call.sender;

const receiverOf = (plan: V4Plan, call: CallView): Party => {
  const receivers = new Set(plan.takes.map(({ receiver }) => receiver));
  if (plan.closes.length > 0) receivers.add(call.sender);
  const [receiver] = receivers;
  if (receivers.size !== 1 || receiver === undefined)
    throw new Error("what is taken out does not go to one party");
  if (plan.takes.some(({ amount, bps }) => amount !== null || bps !== null)) {
    throw new Error("what is taken out is divided in a way that cannot be followed");
  }
  return receiver;
};

const addDraft = (change: Change, plan: V4Plan, call: CallView): Draft => {
  const [first, second] = assetsOf(change, plan);
  return {
    act: "add_liquidity",
    gives: [
      flow(first, atMost(change.amounts[0]), `${change.at}.amount0Max`),
      flow(second, atMost(change.amounts[1]), `${change.at}.amount1Max`),
    ],
    payer: payerOf(plan, call),
    receiver: change.owner,
    // The liquidity is exact and the amounts are limits: there is no minimum to forget.
    terms: { exactOut: true },
    places: { amount: `${change.at}.amount0Max`, receiver: `${change.at}.owner` },
  };
};

const removeDraft = (change: Change, plan: V4Plan, call: CallView): Draft => {
  const [first, second] = assetsOf(change, plan);
  const position =
    change.position === null ? [] : [flow(nft(call.to, change.position), exactly(1n), change.at)];
  return {
    act: change.onlyFees ? "claim" : "remove_liquidity",
    gives: change.onlyFees ? [] : position,
    gets: [
      flow(first, atLeast(change.amounts[0]), `${change.at}.amount0Min`),
      flow(second, atLeast(change.amounts[1]), `${change.at}.amount1Min`),
    ],
    receiver: receiverOf(plan, call),
    places: { minimum: `${change.at}.amount0Min`, receiver: plan.takes[0]?.at ?? change.at },
  };
};

export const readV4Liquidity = (
  actions: Hex,
  params: readonly Hex[],
  call: CallView,
  at: string,
): readonly Draft[] => {
  const found: Found = { changes: [], after: [] };
  const plan = readV4Plan(actions, params, call, {
    at,
    extra: (action, data, where) => {
      const reader = readers[action];
      reader?.(found, data, call, where);
      return reader !== undefined;
    },
  });
  if (found.changes.length === 0 || plan.swaps.length > 0) throw new Error("the plan changes no position");
  const changed = found.changes.map((change) =>
    change.kind === "add" ? addDraft(change, plan, call) : removeDraft(change, plan, call),
  );
  return [...changed, ...found.after];
};
