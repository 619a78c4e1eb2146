/**
 * The command language of universal routers: one byte selects the command, and a blob holds its input. Funds move
 * between the caller, the router and others; every command becomes one step, and the engine adds the steps up.
 */
import { blob, packed } from "../../bytes/openings.ts";
import { everything, exactly, native, amountFault, type Amount, type Fault } from "../../effects.ts";
import type { Hex } from "../../proposal.ts";
import type { CallView, Draft, InnerCall, Read } from "../../protocol.ts";
import {
  feeds,
  feedsAll,
  feedsWhen,
  inert,
  openedAsCalls,
  openedBy,
  type Opening,
  type Use,
} from "../../uses.ts";
import { permitSteps, step, type Step } from "./permit-steps.ts";
import { unwrapAll, wrapHeld } from "./router-payments.ts";
import { swapSteps } from "./router-swaps.ts";
import { assetAt, flow, forwardAll } from "./swap-draft.ts";
import { CONTRACT_BALANCE, v4Party } from "./v4-plan.ts";
import { readV4Swap, v4SwapInput } from "./v4-swap.ts";

const MAX_SUB_PLANS = 4;
const BPS = 10_000n;
const WHOLE = 10n ** 18n;

/** Commands by command byte. */
type Commands = Readonly<Record<number, Step>>;

/** The commands of a router, and the openings of their inputs. */
type Dialect = {
  readonly commands: Commands;
  readonly openings: readonly Opening[];
  readonly subPlan: SubPlan;
};

const amountOf = (amount: bigint): Amount => (amount === CONTRACT_BALANCE ? everything : exactly(amount));

const isHeld = "the router holds some of it";

const sweep = step(
  blob("address token, address recipient, uint256 amountMin", {
    token: feedsWhen("asset", isHeld),
    recipient: feedsWhen("receiver", isHeld),
    amountMin: feedsWhen("minimum", "it is more than the steps before guarantee"),
  }),
  ([asset, recipient, least], call, at) =>
    forwardAll(assetAt(asset), least, v4Party(recipient, call), {
      amount: `${at}.amountMin`,
      receiver: `${at}.recipient`,
    }),
);

const transfer = step(
  blob("address token, address recipient, uint256 value", {
    token: feeds.asset,
    recipient: feeds.receiver,
    value: feeds.amount,
  }),
  ([asset, recipient, value], call, at) => ({
    act: "forward",
    payer: "venue",
    gives: [flow(assetAt(asset), amountOf(value), `${at}.value`)],
    receiver: v4Party(recipient, call),
    places: { receiver: `${at}.recipient`, amount: `${at}.value` },
  }),
);

const payShare = (whole: bigint): Step =>
  step(
    blob("address token, address recipient, uint256 share", {
      token: feedsAll("asset", "fee"),
      recipient: feeds.fee,
      share: feeds.fee,
    }),
    ([asset, recipient, share], call, at) => {
      const to = v4Party(recipient, call);
      const bps = (share * BPS + whole - 1n) / whole;
      if (bps > BPS) throw new Error("more than 100 % is paid out");
      return {
        act: "forward",
        payer: "venue",
        receiver: to,
        fees: [{ to, asset: assetAt(asset), share: { bps }, at: `${at}.share` }],
        places: { receiver: `${at}.recipient`, amount: `${at}.share` },
      };
    },
  );

const wrap = step(
  blob("address recipient, uint256 amount", {
    recipient: feeds.receiver,
    amount: feedsWhen("amount", "it is at most the native token that the router holds: more fails"),
  }),
  ([recipient, amount], call, at) =>
    wrapHeld(amountOf(amount), v4Party(recipient, call), call, `${at}.amount`),
);

const unwrap = step(
  blob("address recipient, uint256 amountMin", {
    recipient: feeds.receiver,
    amountMin: feedsWhen("minimum", "it is more than the steps before guarantee"),
  }),
  ([to, least], call, at) => ({
    ...unwrapAll({ least, recipient: to }, call, {
      amount: `${at}.amountMin`,
      receiver: `${at}.recipient`,
    }),
    receiver: v4Party(to, call),
  }),
);

const unwrapExactly = step(
  blob("address recipient, uint256 amount", { recipient: feeds.receiver, amount: feeds.amount }),
  ([to, amount], call, at) => {
    const draft = unwrapAll({ least: amount, recipient: to }, call, {
      amount: `${at}.amount`,
      receiver: `${at}.recipient`,
    });
    const given = (draft.gives ?? []).map((each) => ({ ...each, amount: exactly(amount) }));
    return {
      ...draft,
      gives: given,
      gets: [flow(native, exactly(amount), `${at}.amount`)],
      receiver: v4Party(to, call),
    };
  },
);

/** Reverts or does nothing. */
const checkBalance = step(
  blob("address owner, address token, uint256 minBalance", {
    owner: inert.restricts,
    token: inert.restricts,
    minBalance: inert.restricts,
  }),
  () => ({ act: "harmless" }),
);

const common: Commands = {
  ...swapSteps,
  0x04: sweep,
  0x05: transfer,
  0x06: payShare(BPS),
  0x0b: wrap,
  0x0c: unwrap,
  0x0e: checkBalance,
  ...permitSteps,
};

const laterOnly: Commands = {
  0x07: payShare(WHOLE),
  0x0f: unwrapExactly,
  0x10: { opens: [v4SwapInput], read: readV4Swap },
};

const SUB_PLAN = 0x21;
const MAY_FAIL = 0x80;
const MAY_FAIL_ALONE: Fault = {
  ...amountFault("this step may fail without the rest failing"),
  mild: true,
};
const PERMITS = new Set([0x03, 0x0a]);

const normalise = (read: Read | Draft | readonly Draft[]): Read => {
  if (Array.isArray(read)) return { effects: read as readonly Draft[] };
  return "act" in read ? { effects: [read] } : (read as Read);
};

/** A step that may fail alone guarantees nothing. A permit that was already used may fail. */
const marked = (draft: Draft, mayFail: boolean): Draft =>
  mayFail
    ? {
        ...draft,
        terms: {
          ...draft.terms,
          faults: [...(draft.terms?.faults ?? []), MAY_FAIL_ALONE],
        },
      }
    : draft;

type Plan = {
  readonly commands: Hex;
  readonly inputs: readonly Hex[];
  readonly at: string;
  readonly depth: number;
};

/** Every step of a plan, in order. An unknown command makes all of it unreadable. */
export const readCommands = (plan: Plan, dialect: Dialect, call: CallView): Read => {
  const codes = plan.commands.slice(2).match(/../g) ?? [];
  if (codes.length !== plan.inputs.length) throw new Error("the numbers of inputs and commands differ");
  if (plan.depth > MAX_SUB_PLANS) throw new Error("plans are nested too deeply");
  const effects: Draft[] = [];
  const calls: InnerCall[] = [];
  for (const [i, byte] of codes.entries()) {
    const code = Number.parseInt(byte, 16);
    const kind = code & ~MAY_FAIL;
    const at = `${plan.at}inputs[${i}]`;
    const read = readStep({ kind, input: plan.inputs[i] ?? "0x", at, depth: plan.depth }, dialect, call);
    const mayFail = (code & MAY_FAIL) !== 0 && !PERMITS.has(kind);
    effects.push(...(read.effects ?? []).map((draft) => marked(draft, mayFail)));
    calls.push(...(read.calls ?? []).map((inner) => (mayFail ? { ...inner, mayFail } : inner)));
  }
  return { effects, calls };
};

/** An input that is raw calldata. */
export const callInput = packed("a call", {
  head: [{ name: "call", bytes: "rest", use: openedAsCalls }],
});

/** Some commands have the same effect: for example a permit with and without the allow-revert flag. */
const commandsUse = feedsWhen("act", "another command would have another effect");

/** Sub-plans accept the same commands, so the list of openings contains itself. */
const dialectOf = (commands: Commands): Dialect => {
  const openings: Opening[] = Object.values(commands).flatMap(({ opens }) => opens);
  const inputs: Use = { kind: "opened", as: openings };
  const subPlan = blob("bytes commands, bytes[] inputs", { commands: commandsUse, inputs });
  openings.push(subPlan);
  return { commands, openings, subPlan };
};

/** The first routers use commands from 0x10 on for NFT markets, which are not described. */
export const firstDialect = dialectOf(common);

/** Uses of the arguments of `execute` for routers with these dialects. */
export const planUses = (
  ...dialects: readonly Dialect[]
): { readonly commands: Use; readonly inputs: Use } => ({
  commands: commandsUse,
  inputs: openedBy(...new Set(dialects.flatMap(({ openings }) => openings))),
});

/** `more`: commands that only this router has. */
export const laterDialect = (more: Commands): Dialect => dialectOf({ ...common, ...laterOnly, ...more });

type SubPlan = Opening<readonly [commands: Hex, inputs: readonly Hex[]]>;

type StepInput = { readonly kind: number; readonly input: Hex; readonly at: string; readonly depth: number };

const readStep = ({ kind, input, at, depth }: StepInput, dialect: Dialect, call: CallView): Read => {
  if (kind === SUB_PLAN) {
    const [commands, inputs] = call.open(dialect.subPlan, input, at);
    return readCommands({ commands, inputs, at: `${at}.`, depth: depth + 1 }, dialect, call);
  }
  const found = dialect.commands[kind];
  if (found === undefined) throw new Error(`command 0x${kind.toString(16).padStart(2, "0")} is not known`);
  return normalise(found.read(input, call, at));
};
