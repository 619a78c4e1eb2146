/**
 * The command language of universal routers: one byte says what to do, a blob says with what. Money moves between the caller, the
 * router and others; every command becomes one step, and the engine adds the steps up.
 */
import { decodeBlob } from "../../bytes/decode.ts";
import { atLeast, atMost, everything, exactly, native, token, type Amount } from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView, Draft, InnerCall, Read } from "../../protocol.ts";
import { permitSteps, type Step } from "./permit-steps.ts";
import { unwrapAll, wrapHeld } from "./router-payments.ts";
import { assetAt, flow, forwardAll, lower, partyAt, swapDraft } from "./swap-draft.ts";
import { readV3Path, routeOf, type Route } from "./v3-path.ts";
import { SENDER_MARK, VENUE_MARK } from "./v3-router.ts";
import { CONTRACT_BALANCE } from "./v4-plan.ts";
import { readV4Swap } from "./v4-swap.ts";

const MAX_SUB_PLANS = 4;
const BPS = 10_000n;
const WHOLE = 10n ** 18n;
const marks = { sender: SENDER_MARK, venue: VENUE_MARK };

/** What else a router's own dialect adds, and the managers its liquidity commands call. */
export type Dialect = {
  /** Commands of this router besides the common ones; given the input, the call and where it stands. */
  readonly more?: Readonly<Record<number, Step>>;
  /** Whether the commands from 0x10 on are the later ones; the first routers used the same bytes for NFT markets. */
  readonly later: boolean;
};

const party = (address: string, call: CallView) => partyAt(address, call, marks);

const amountOf = (amount: bigint): Amount => (amount === CONTRACT_BALANCE ? everything : exactly(amount));

type SwapInput = readonly [
  recipient: string,
  first: bigint,
  second: bigint,
  path: never,
  payerIsUser: boolean,
];

/** Later routers end the blob in a price limit for each hop; the bytes fit one form only. */
const swapInput = (names: string, pathType: string, input: Hex): SwapInput => {
  const form = `address recipient, ${names}, ${pathType} path, bool payerIsUser`;
  try {
    return decodeBlob(form, input) as unknown as SwapInput;
  } catch {
    return decodeBlob(`${form}, uint256[] minHopPriceX36`, input) as unknown as SwapInput;
  }
};

const packedRoute = (path: never): readonly Address[] => readV3Path(path).tokens;
const listedRoute = (path: never): readonly Address[] => (path as readonly string[]).map(lower);

type PathKind = { readonly type: string; readonly read: (path: never) => readonly Address[] };
const packed: PathKind = { type: "bytes", read: packedRoute };
const listed: PathKind = { type: "address[]", read: listedRoute };

const sell =
  (kind: PathKind): Step =>
  (input, call, at) => {
    const names = "uint256 amountIn, uint256 amountOutMin";
    const [recipient, amountIn, least, path, payerIsUser] = swapInput(names, kind.type, input);
    const { first, last, ...terms } = routeOf(kind.read(path));
    // Zero means that an earlier step has paid the pool already.
    const paid = amountIn === 0n ? everything : amountOf(amountIn);
    const fromUser = payerIsUser && paid.everything !== true;
    return swapDraft({
      gives: flow(token(first), paid, `${at}.amountIn`),
      gets: flow(token(last), atLeast(least), `${at}.amountOutMin`),
      receiver: party(recipient, call),
      receiverAt: `${at}.recipient`,
      payer: fromUser ? call.sender : "venue",
      terms,
    });
  };

/** An exact output is routed backwards in the packed form only. */
const buyRoute = (kind: PathKind, path: never): Route => {
  const tokens = kind.read(path);
  return routeOf(kind === packed ? tokens.toReversed() : tokens);
};

const buy =
  (kind: PathKind): Step =>
  (input, call, at) => {
    const names = "uint256 amountOut, uint256 amountInMax";
    const [recipient, out, most, path, payerIsUser] = swapInput(names, kind.type, input);
    const { first, last, ...terms } = buyRoute(kind, path);
    return swapDraft({
      gives: flow(token(first), atMost(most), `${at}.amountInMax`),
      gets: flow(token(last), exactly(out), `${at}.amountOut`),
      receiver: party(recipient, call),
      receiverAt: `${at}.recipient`,
      payer: payerIsUser ? call.sender : "venue",
      terms: { ...terms, exactOut: true },
    });
  };

const threeWords = (names: string, input: Hex) =>
  decodeBlob(names, input) as readonly [string, string, bigint];

const sweep: Step = (input, call, at) => {
  const [asset, recipient, least] = threeWords("address token, address recipient, uint256 amountMin", input);
  const places = { amount: `${at}.amountMin`, receiver: `${at}.recipient` };
  return forwardAll(assetAt(asset), least, party(recipient, call), places);
};

const transfer: Step = (input, call, at) => {
  const [asset, recipient, value] = threeWords("address token, address recipient, uint256 value", input);
  return {
    act: "forward",
    payer: "venue",
    gives: [flow(assetAt(asset), amountOf(value), `${at}.value`)],
    receiver: party(recipient, call),
    places: { receiver: `${at}.recipient`, amount: `${at}.value` },
  };
};

const payShare =
  (whole: bigint): Step =>
  (input, call, at) => {
    const [asset, recipient, share] = threeWords("address token, address recipient, uint256 share", input);
    const to = party(recipient, call);
    const bps = (share * BPS + whole - 1n) / whole;
    if (bps > BPS) throw new Error("more than the whole is paid away");
    return {
      act: "forward",
      payer: "venue",
      receiver: to,
      fees: [{ to, asset: assetAt(asset), share: { bps }, at: `${at}.bips` }],
      places: { receiver: `${at}.recipient`, amount: `${at}.bips` },
    };
  };

const wrap: Step = (input, call, at) => {
  const [recipient, amount] = decodeBlob("address recipient, uint256 amount", input) as readonly [
    string,
    bigint,
  ];
  return wrapHeld(amountOf(amount), party(recipient, call), call, `${at}.amount`);
};

const unwrap: Step = (input, call, at) => {
  const [to, least] = decodeBlob("address recipient, uint256 amountMin", input) as readonly [string, bigint];
  const draft = unwrapAll({ least, recipient: to }, call, {
    amount: `${at}.amountMin`,
    receiver: `${at}.recipient`,
  });
  return { ...draft, receiver: party(to, call) };
};

const unwrapExactly: Step = (input, call, at) => {
  const [to, amount] = decodeBlob("address recipient, uint256 amount", input) as readonly [string, bigint];
  const draft = unwrapAll({ least: amount, recipient: to }, call, {
    amount: `${at}.amount`,
    receiver: `${at}.recipient`,
  });
  const given = (draft.gives ?? []).map((each) => ({ ...each, amount: exactly(amount) }));
  return {
    ...draft,
    gives: given,
    gets: [flow(native, exactly(amount), `${at}.amount`)],
    receiver: party(to, call),
  };
};

const harmless: Step = () => ({ act: "harmless" });

const common: Readonly<Record<number, Step>> = {
  0x00: sell(packed),
  0x01: buy(packed),
  0x04: sweep,
  0x05: transfer,
  0x06: payShare(BPS),
  0x08: sell(listed),
  0x09: buy(listed),
  0x0b: wrap,
  0x0c: unwrap,
  // Fails the whole call, or does nothing.
  0x0e: harmless,
  ...permitSteps,
};

const laterOnly: Readonly<Record<number, Step>> = {
  0x07: payShare(WHOLE),
  0x0f: unwrapExactly,
  0x10: readV4Swap,
};

const SUB_PLAN = 0x21;
const MAY_FAIL = 0x80;
const PERMITS = new Set([0x03, 0x0a]);

const normalise = (read: Read | Draft | readonly Draft[]): Read => {
  if (Array.isArray(read)) return { effects: read as readonly Draft[] };
  return "act" in read ? { effects: [read] } : (read as Read);
};

/** A step that may fail without the rest failing promises nothing; a permit that was already used may. */
const marked = (draft: Draft, mayFail: boolean): Draft =>
  mayFail
    ? {
        ...draft,
        terms: {
          ...draft.terms,
          faults: [...(draft.terms?.faults ?? []), "this step may fail without the rest failing"],
        },
      }
    : draft;

type Plan = {
  readonly commands: Hex;
  readonly inputs: readonly Hex[];
  readonly at: string;
  readonly depth: number;
};

const stepFor = (code: number, dialect: Dialect): Step | undefined =>
  dialect.more?.[code] ?? common[code] ?? (dialect.later ? laterOnly[code] : undefined);

/** Every step of a plan, in order. A byte nobody knows makes all of it unreadable. */
export const readCommands = (plan: Plan, dialect: Dialect, call: CallView): Read => {
  const codes = plan.commands.slice(2).match(/../g) ?? [];
  if (codes.length !== plan.inputs.length) throw new Error("there are not as many inputs as commands");
  if (plan.depth > MAX_SUB_PLANS) throw new Error("plans are nested too deep");
  const effects: Draft[] = [];
  const calls: InnerCall[] = [];
  for (const [i, byte] of codes.entries()) {
    const code = Number.parseInt(byte, 16);
    const kind = code & ~MAY_FAIL;
    const at = `${plan.at}inputs[${i}]`;
    const read = readStep({ kind, input: plan.inputs[i] ?? "0x", at, depth: plan.depth }, dialect, call);
    const mayFail = (code & MAY_FAIL) !== 0 && !PERMITS.has(kind);
    effects.push(...(read.effects ?? []).map((draft) => marked(draft, mayFail)));
    calls.push(...(read.calls ?? []));
  }
  return { effects, calls };
};

type StepInput = { readonly kind: number; readonly input: Hex; readonly at: string; readonly depth: number };

const readStep = ({ kind, input, at, depth }: StepInput, dialect: Dialect, call: CallView): Read => {
  if (kind === SUB_PLAN) {
    const [commands, inputs] = decodeBlob("bytes commands, bytes[] inputs", input) as readonly [
      Hex,
      readonly Hex[],
    ];
    return readCommands({ commands, inputs, at: `${at}.`, depth: depth + 1 }, dialect, call);
  }
  const step = stepFor(kind, dialect);
  if (step === undefined) throw new Error(`command 0x${kind.toString(16).padStart(2, "0")} is not known`);
  return normalise(step(input, call, at));
};
