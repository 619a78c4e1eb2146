/** Actions of V4 plans that change positions. */
import { blob } from "../../bytes/openings.ts";
import {
  atMost,
  exactly,
  native,
  token,
  unsaid,
  type Amount,
  type Asset,
  type Party,
} from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView, Draft, DraftChoice } from "../../protocol.ts";
import { feeds, feedsAll, feedsWhen, inert, openedBy, type Opening } from "../../uses.ts";
import { hookChoices, range, showPool, type PoolKey } from "./pool-choices.ts";
import { wrapHeld } from "./router-payments.ts";
import { assetAt, flow, forwardAll, lower } from "./swap-draft.ts";
import {
  action,
  CONTRACT_BALANCE,
  hookDataUse,
  planOpenings,
  POOL_KEY,
  v4Party,
  type Action,
} from "./v4-plan.ts";

/** A change of one position, before its payer and its receiver are known. */
export type Change = {
  readonly kind: "add" | "remove";
  readonly currencies: readonly Address[] | null;
  readonly amounts: readonly [bigint, bigint];
  readonly owner: Party | null;
  readonly position: bigint | null;
  /** Zero liquidity removed: only the accrued fees. */
  readonly onlyFees: boolean;
  readonly choices: readonly DraftChoice[];
  readonly at: string;
};

export type Found = { readonly changes: Change[]; readonly after: Draft[] };

type Reader = Action<Found>;

const RANGE = "int24 tickLower, int24 tickUpper";
const MAXIMUMS = "uint128 amount0Max, uint128 amount1Max";
const MINIMUMS = "uint128 amount0Min, uint128 amount1Min";

/** The maximums bound the cost of the liquidity. The manager enforces them, and they are compared. */
const liquidityUse = { liquidity: inert.bounded };
const isCovered = "it is not more than the native token sent";
const maximumUses = {
  amount0Max: feedsWhen("amount", isCovered),
  amount1Max: feedsWhen("amount", isCovered),
};
const minimumUses = { amount0Min: feeds.minimum, amount1Min: feeds.minimum };
const endUses = { hookData: hookDataUse };
const mintUses = {
  poolKey: {
    currency0: feeds.asset,
    currency1: feeds.asset,
    fee: feeds.choice,
    tickSpacing: feeds.choice,
    hooks: feeds.choice,
  },
  tickLower: feeds.choice,
  tickUpper: feeds.choice,
  ...maximumUses,
  owner: feeds.receiver,
  ...endUses,
};
const increaseUses = { tokenId: feeds.choice, ...maximumUses, ...endUses };

const mintOpening = blob(
  `${POOL_KEY}, ${RANGE}, uint256 liquidity, ${MAXIMUMS}, address owner, bytes hookData` as const,
  { ...mintUses, ...liquidityUse },
);
const mintFromCredit = blob(
  `${POOL_KEY}, ${RANGE}, ${MAXIMUMS}, address owner, bytes hookData` as const,
  mintUses,
);
const increaseOpening = blob(`uint256 tokenId, uint256 liquidity, ${MAXIMUMS}, bytes hookData` as const, {
  ...increaseUses,
  ...liquidityUse,
});
const increaseFromCredit = blob(`uint256 tokenId, ${MAXIMUMS}, bytes hookData` as const, increaseUses);
const decreaseOpening = blob(`uint256 tokenId, uint256 liquidity, ${MINIMUMS}, bytes hookData` as const, {
  tokenId: feedsAll("asset", "choice"),
  liquidity: feedsAll("act", "choice"),
  ...minimumUses,
  ...endUses,
});
const burnOpening = blob(`uint256 tokenId, ${MINIMUMS}, bytes hookData` as const, {
  tokenId: feedsAll("asset", "choice"),
  ...minimumUses,
  ...endUses,
});

type Minted = {
  readonly key: PoolKey;
  readonly ticks: readonly [number, number];
  readonly amounts: readonly [bigint, bigint];
  readonly owner: string;
  readonly hookData: Hex;
};

const base = { currencies: null, owner: null, position: null, onlyFees: false } as const;

/** No minimum enforces the price, so the request must name the pool. */
const minted = ({ key, ticks, amounts, owner, hookData }: Minted, call: CallView, at: string): Change => ({
  ...base,
  kind: "add",
  currencies: [lower(key.currency0), lower(key.currency1)],
  amounts,
  owner: v4Party(owner, call),
  choices: [
    { what: "pool", value: showPool(key.fee, key.tickSpacing), at: `${at}.poolKey.fee`, known: false },
    range(...ticks, `${at}.tickLower`),
    ...hookChoices(key.hooks, hookData, `${at}.poolKey`),
  ],
  at,
});

/** An attacker can send the owner a position in a malicious pool, so ownership alone proves nothing. */
const positionChoice = (id: bigint, at: string): DraftChoice => ({
  what: "position",
  value: id,
  at: `${at}.tokenId`,
  known: false,
});

const dataChoice = (data: Hex, at: string): readonly DraftChoice[] =>
  data === "0x" ? [] : [{ what: "code", value: data, at: `${at}.hookData` }];

const increased = (id: bigint, amounts: readonly [bigint, bigint], hookData: Hex, at: string): Change => ({
  ...base,
  kind: "add",
  amounts,
  position: id,
  choices: [positionChoice(id, at), ...dataChoice(hookData, at)],
  at,
});

const positionReaders: Readonly<Record<number, Reader>> = {
  0x00: action(increaseOpening, ({ changes }: Found, [id, , first, second, data], _call, at) => {
    changes.push(increased(id, [first, second], data, at));
  }),
  0x04: action(increaseFromCredit, ({ changes }: Found, [id, first, second, data], _call, at) => {
    changes.push(increased(id, [first, second], data, at));
  }),
  0x01: action(
    decreaseOpening,
    ({ changes }: Found, [position, liquidity, first, second, data], _call, at) => {
      const onlyFees = liquidity === 0n;
      changes.push({
        ...base,
        kind: "remove",
        amounts: [first, second],
        position,
        onlyFees,
        // The manager rejects positions that the caller does not own. The liquidity removed must be stated.
        choices: [
          { ...positionChoice(position, at), known: true },
          ...(onlyFees
            ? []
            : [{ what: "shares" as const, value: liquidity, at: `${at}.liquidity`, known: false }]),
          ...dataChoice(data, at),
        ],
        at,
      });
    },
  ),
  0x03: action(burnOpening, ({ changes }: Found, [position, first, second, data], _call, at) => {
    const choices = [{ ...positionChoice(position, at), known: true }, ...dataChoice(data, at)];
    changes.push({ ...base, kind: "remove", amounts: [first, second], position, choices, at });
  }),
  0x02: action(
    mintOpening,
    ({ changes }: Found, [key, from, to, , first, second, owner, hookData], call, at) => {
      changes.push(minted({ key, ticks: [from, to], amounts: [first, second], owner, hookData }, call, at));
    },
  ),
  0x05: action(
    mintFromCredit,
    ({ changes }: Found, [key, from, to, first, second, owner, hookData], call, at) => {
      changes.push(minted({ key, ticks: [from, to], amounts: [first, second], owner, hookData }, call, at));
    },
  ),
};

const held = (amount: bigint): Amount =>
  amount === CONTRACT_BALANCE || amount === 0n
    ? { ...atMost(CONTRACT_BALANCE), everything: true }
    : exactly(amount);

const isHeld = "the manager holds some of it";
const heldUse = { amount: feedsWhen("amount", isHeld) };

const paymentReaders: Readonly<Record<number, Reader>> = {
  0x14: action(
    blob("address currency, address to", {
      currency: feedsWhen("asset", isHeld),
      to: feedsWhen("receiver", isHeld),
    }),
    ({ after }: Found, [currency, to], call, at) => {
      after.push(forwardAll(assetAt(currency), 0n, v4Party(to, call), { amount: at, receiver: `${at}.to` }));
    },
  ),
  0x15: action(blob("uint256 amount", heldUse), ({ after }: Found, [amount], call, at) => {
    after.push(wrapHeld(held(amount), "venue", call, `${at}.amount`));
  }),
  0x16: action(blob("uint256 amount", heldUse), ({ after }: Found, [amount], call, at) => {
    const wrapped = call.registry.chain(call.chain)?.wrapped;
    const from: Asset = wrapped ? token(wrapped) : unsaid("the unknown wrapped native token of this chain");
    const gives = [flow(from, held(amount), `${at}.amount`)];
    after.push({
      act: "unwrap",
      payer: "venue",
      gives,
      gets: [flow(native, held(amount), at)],
      receiver: "venue",
    });
  }),
};

export const positionActions: Readonly<Record<number, Reader>> = { ...positionReaders, ...paymentReaders };

const openings: readonly Opening[] = [
  ...planOpenings,
  ...Object.values(positionActions).flatMap(({ opens }) => opens),
];

/** Use of the parameters of a plan that changes positions. */
export const paramsUse = openedBy(...openings);

/** Several actions settle the same debt. */
export const actionsUse = feedsWhen("act", "another action would have another effect");

export const unlockData = blob("bytes actions, bytes[] params", { actions: actionsUse, params: paramsUse });
