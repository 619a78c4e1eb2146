/** Reads a call and the calls nested in it, within limits. Calls that it cannot read become opaque effects. */
import { keccak256 } from "viem/utils";
import {
  native,
  exactly,
  everything,
  amountFault,
  unreadable,
  type Effect,
  type Leaf,
  type OpenedPart,
  type Party,
} from "../effects.ts";
import type { Address, Hex } from "../proposal.ts";
import type { CallView, Draft, InnerCall, ProtocolFunction, Read } from "../protocol.ts";
import { chooseReader, type Knowing, type Reader } from "./choose-reader.ts";
import { compose } from "./compose.ts";
import { makeLeaf, type CallToRead, type Frame } from "./make-leaf.ts";
import { findInner, type Opened } from "./locate.ts";
import { makeEffect, type Origin } from "./make-effect.ts";
import { findOpened, makeOpen } from "./open.ts";
import { withFault } from "./settle.ts";

const MAX_DEPTH = 8;
const MAX_LEAVES = 256;
const MAX_BYTES = 1024 * 1024;

/** The limits that one request has used up, and what was found on the way. */
export type Run = Knowing & {
  readonly leaves: Leaf[];
  readonly nodes: Origin[];
  /** The contents of opened arguments. */
  readonly opened: OpenedPart[];
  /** Contracts found to be the owner's own accounts. */
  readonly accounts: Set<Address>;
  /** The account named in the request, and the accounts that the caller's facts show to be the owner's. */
  readonly owned: ReadonlySet<Address>;
  bytes: number;
  limit: string | null;
};

const HEX = /^0x[0-9a-f]*$/;

const overLimit = (run: Run, frame: Frame, call: CallToRead): string | null => {
  if (frame.depth > MAX_DEPTH) return `calls are nested more than ${MAX_DEPTH} deep`;
  if (run.leaves.length >= MAX_LEAVES) return `more than ${MAX_LEAVES} calls`;
  run.bytes += (call.data.length - 2) / 2;
  return run.bytes > MAX_BYTES ? `more than ${MAX_BYTES} bytes of calls` : null;
};

const originOf = (run: Run, frame: Frame, call: CallToRead, reader: Reader | null): Origin => ({
  where: frame.where,
  prefix: "",
  target: call.to,
  sender: frame.sender,
  isSelf: (address) => frame.self.has(address),
  isOwnContract: isContractOf(run, reader?.known.protocol ?? ""),
  account: frame.account,
  ...(reader === null ? unknownFunction : describeReader(reader)),
});

type ReadBy = Pick<Origin, "nodes" | "protocol" | "function" | "venue" | "knowledge">;

const unknownFunction: ReadBy = { nodes: [], protocol: "", function: "", venue: null, knowledge: "none" };

const describeReader = ({ decoded, known, bound, knowledge }: Reader): ReadBy => ({
  nodes: decoded.nodes,
  protocol: known.protocol,
  function: known.abi.name,
  venue: bound ? known.protocol : null,
  knowledge,
});

/** Whether an address is one of a protocol's contracts on the chain of this request. */
export const isContractOf =
  (run: Knowing, id: string): Origin["isOwnContract"] =>
  (address, roles) =>
    run.protocols
      .at(run.chain, address)
      .some(({ protocol, role }) => protocol === id && (roles === undefined || roles.includes(role)));

const coin = (value: bigint): Pick<Draft, "gives"> =>
  value > 0n ? { gives: [{ asset: native, amount: exactly(value), at: "value" }] } : {};

export const opaque = (origin: Origin, value: bigint, why: string): Effect =>
  makeEffect(
    { ...origin, knowledge: "none" },
    { act: "opaque", ...coin(value), receiver: origin.target, terms: { faults: [unreadable(why)] } },
  );

const plainTransfer = (origin: Origin, call: CallToRead): Effect =>
  makeEffect(
    { ...origin, protocol: "native", function: "transfer", knowledge: "standard" },
    {
      act: "transfer",
      gives: [{ asset: native, amount: exactly(call.value), at: "value" }],
      receiver: call.to,
      places: { receiver: "to", amount: "value" },
    },
  );

type Described = {
  readonly role: string | null;
  readonly nodes: Origin["nodes"];
  readonly uses: ProtocolFunction["uses"];
};

const viewOf = (run: Run, frame: Frame, call: Target, { role, nodes, uses }: Described): CallView => ({
  to: call.to,
  value: call.value,
  sender: frame.sender,
  chain: run.chain,
  role,
  registry: run.registry,
  delegatecall: frame.delegatecall,
  isSelf: (address) => frame.self.has(address.toLowerCase() as Address),
  open: makeOpen({ where: frame.where, nodes, uses, base: frame.base, opened: run.opened }),
});

/** For calls without arguments: native value without data, bytes without a selector. */
const withoutArguments = (role: string | null): Described => ({ role, nodes: [], uses: {} });

const draftOr = (origin: Origin, value: bigint, read: () => Draft): Effect => {
  try {
    return makeEffect(origin, read());
  } catch (error) {
    return opaque(origin, value, error instanceof Error ? error.message : "it is not valid");
  }
};

/** Some contracts take bytes that are not a call. */
const readRaw = (run: Run, frame: Frame, call: Target): Effect | null => {
  for (const { protocol, role } of run.protocols.at(run.chain, call.to)) {
    const raw = run.protocols.all.get(protocol)?.raw;
    if (raw?.on.includes(role) !== true) continue;
    const origin = {
      ...originOf(run, frame, call, null),
      protocol,
      venue: protocol,
      knowledge: "bound" as const,
    };
    const view = viewOf(run, frame, call, withoutArguments(role));
    return draftOr(origin, call.value, () => raw.read(call.data, view));
  }
  return null;
};

/** Native value without data: a protocol may define what its contract does with it; any other receiver just receives it. */
const readCoin = (run: Run, frame: Frame, call: Target): Effect => {
  const origin = originOf(run, frame, call, null);
  if (call.value > 0n) {
    for (const { protocol, role } of run.protocols.at(run.chain, call.to)) {
      const receive = run.protocols.all.get(protocol)?.receive;
      if (receive?.on.includes(role) !== true) continue;
      const draft = receive.read(viewOf(run, frame, call, withoutArguments(role)));
      const bound = {
        ...origin,
        protocol,
        venue: protocol,
        function: "receive",
        knowledge: "bound" as const,
      };
      return makeEffect(bound, draft);
    }
  }
  return plainTransfer(origin, call);
};

const readCreation = (run: Run, frame: Frame, call: CallToRead): readonly Effect[] => {
  run.leaves.push(makeLeaf(frame, call, null));
  const origin = { ...originOf(run, frame, call, null), function: "create", knowledge: "standard" as const };
  return [
    makeEffect(origin, {
      act: "deploy",
      ...coin(call.value),
      receiver: null,
      admin: { kind: "deploy", party: null },
      // Too long to be stated in a request, so its hash represents it.
      choices: [{ what: "code", value: keccak256(call.data), at: "data" }],
    }),
  ];
};

/** Unknown code in this account's storage can do anything, whatever its arguments look like. */
const readDelegatecall = (run: Run, frame: Frame, call: Target): readonly Effect[] => {
  const reader = chooseReader(run, call, (address) => frame.self.has(address));
  run.leaves.push(makeLeaf(frame, call, reader));
  const origin = { ...originOf(run, frame, call, reader), venue: null, knowledge: "none" as const };
  return [
    makeEffect(origin, {
      act: "admin",
      ...coin(call.value),
      admin: { kind: "delegatecall", party: call.to },
      authority: { spender: call.to, asset: null, amount: everything, at: "to" },
      terms: { delegatecall: call.to },
    }),
  ];
};

const isLibrary = (run: Run, to: Address): boolean =>
  run.protocols
    .at(run.chain, to)
    .some(({ protocol, role }) => run.protocols.all.get(protocol)?.libraries?.includes(role) === true);

export const normalise = (read: Read | Draft | readonly Draft[]): Read => {
  if (Array.isArray(read)) return { effects: read as readonly Draft[] };
  return "act" in read ? { effects: [read] } : (read as Read);
};

const askProtocol = (reader: Reader, view: CallView): Read | string => {
  if (reader.decoded.values === null)
    return reader.decoded.findings[0]?.said ?? "the arguments cannot be read";
  try {
    return normalise(reader.known.fn.read(reader.decoded.values as never, view));
  } catch (error) {
    return error instanceof Error ? error.message : "the arguments are not valid";
  }
};

const senderOf = (frame: Frame, to: Address, inner: InnerCall, self: ReadonlySet<Address>): Party => {
  if (inner.program === true) return frame.sender;
  if (inner.sender === undefined || inner.sender === "venue") return self.has(to) ? "self" : to;
  return inner.sender !== "self" && self.has(inner.sender) ? "self" : inner.sender;
};

const childFrame = (run: Run, frame: Frame, outer: Outer, { inner, index }: Numbered): Frame => {
  const account = inner.account?.toLowerCase() as Address | undefined;
  const isNew = account !== undefined && !frame.self.has(account);
  const self = isNew ? new Set([...frame.self, account]) : frame.self;
  return {
    where: `${frame.where}/${index}`,
    depth: frame.depth + 1,
    sender: senderOf(frame, outer.to, inner, self),
    delegatecall: inner.delegatecall === true || (inner.program === true && frame.delegatecall),
    program: inner.program === true,
    self,
    account: isNew ? account : frame.account,
    base: findOpened(run.opened, frame.where, inner.at) ?? addTo(frame.base, findInner(outer, inner)),
  };
};

const addTo = (base: number | null, offset: number | null): number | null =>
  base === null || offset === null ? null : base + offset;

type Outer = Opened & { readonly to: Address };
type Numbered = { readonly inner: InnerCall; readonly index: number };

/** From outside, what the inner call's caller holds is held by the called contract. */
const asVenue = (effect: Effect, venue: Address): Effect => {
  const rename = <P extends Party | null>(party: P): P | "venue" => (party === venue ? "venue" : party);
  return { ...effect, payer: rename(effect.payer), receiver: rename(effect.receiver) };
};

/** An account that is not proven to be the owner's may do something else with its calls, or nothing. */
const throughAccount = (run: Run, frame: Frame, { account }: Frame, effect: Effect): Effect => {
  if (account === null || account === frame.account || run.owned.has(account) || effect.act === "harmless")
    return effect;
  const where = { call: frame.where, field: "to" };
  const choice = { what: "account" as const, value: account, known: false, where };
  return { ...effect, choices: [choice, ...effect.choices] };
};

const MAY_FAIL = amountFault("an inner call may fail while the rest still runs");

export const readInner = (
  run: Run,
  frame: Frame,
  outer: Outer,
  calls: readonly InnerCall[],
): readonly Effect[] => {
  const { to } = outer;
  const effects: Effect[] = [];
  for (const [index, inner] of calls.entries()) {
    const child = childFrame(run, frame, outer, { inner, index });
    if (child.account !== null) run.accounts.add(child.account);
    const call = { to: inner.to?.toLowerCase() as Address | null, value: inner.value, data: inner.data };
    const read = readCall(run, child, call)
      .map((effect) => throughAccount(run, frame, child, effect))
      .map((effect) => (inner.mayFail === true ? withFault(effect, MAY_FAIL) : effect));
    effects.push(...(child.sender === to ? read.map((effect) => asVenue(effect, to)) : read));
    if (run.limit !== null) break;
  }
  return effects;
};

/** Adds up the steps of one call: as a program of the contract, or one after the other if the account itself acts. */
const total = (frame: Frame, call: Target, origin: Origin, read: Steps): readonly Effect[] => {
  const { calls, effects } = read;
  if (frame.program) return effects;
  if (frame.self.has(call.to)) return effects;
  if (calls.some(({ account }) => account !== undefined)) {
    return call.value > 0n ? [plainTransfer(origin, call), ...effects] : effects;
  }
  const program = calls.length > 0;
  if (!frame.delegatecall) return compose(effects, { origin, value: call.value, isCoinSent: true, program });
  return program ? effects : compose(effects, { origin, value: 0n, isCoinSent: false, program });
};

type Steps = { readonly calls: readonly InnerCall[]; readonly effects: readonly Effect[] };
type Target = CallToRead & { readonly to: Address };

/** Accounts of owners are in no table: every owner has one. */
const asAccount = (reader: Reader, calls: readonly InnerCall[]): Reader =>
  reader.knowledge === "selector" && calls.some(({ account }) => account !== undefined)
    ? { ...reader, knowledge: "standard" }
    : reader;

const readKnown = (run: Run, frame: Frame, call: Target, found: Reader): readonly Effect[] => {
  const { role, decoded, known } = found;
  const view = viewOf(run, frame, call, { role, nodes: decoded.nodes, uses: known.fn.uses });
  const read = askProtocol(found, view);
  const calls = typeof read === "string" ? [] : (read.calls ?? []);
  const reader = asAccount(found, calls);
  const origin = originOf(run, frame, call, reader);
  run.leaves.push({ ...makeLeaf(frame, call, reader), ...(calls.length > 0 ? { wrapper: true } : {}) });
  run.nodes.push(origin);
  if (typeof read === "string") return [opaque(origin, call.value, read)];
  const own = (read.effects ?? []).map((draft) => makeEffect(origin, draft));
  const { nodes } = reader.decoded;
  const inner = readInner(run, frame, { to: call.to, data: call.data, nodes }, calls);
  const some = own.length + inner.length > 0;
  const effects = some ? [...own, ...inner] : [makeEffect(origin, { act: "harmless" })];
  return total(frame, call, origin, { calls, effects });
};

/** Data that is a call: a selector of four bytes, and arguments. */
const isCall = (data: Hex): boolean => data.length >= 10 && data.length % 2 === 0 && HEX.test(data);

const readData = (run: Run, frame: Frame, call: Target): readonly Effect[] => {
  const readable = isCall(call.data);
  const reader = readable ? chooseReader(run, call, (address) => frame.self.has(address)) : null;
  if (reader !== null) return readKnown(run, frame, call, reader);
  run.leaves.push(makeLeaf(frame, call, null));
  const why = readable ? "the function is not known" : "the data is not a call";
  return [opaque(originOf(run, frame, call, null), call.value, why)];
};

/** Returns what one call does, in order. Never throws: an error in a protocol's reader makes the call opaque. */
export const readCall = (run: Run, frame: Frame, asked: CallToRead): readonly Effect[] => {
  const call = { ...asked, data: asked.data.toLowerCase() as Hex };
  const limit = overLimit(run, frame, call);
  if (limit !== null) {
    run.limit ??= limit;
    return [opaque(originOf(run, frame, call, null), call.value, limit)];
  }
  if (call.to === null) return readCreation(run, frame, call);
  const target: Target = { ...call, to: call.to };
  if (frame.delegatecall && !frame.program && !isLibrary(run, target.to))
    return readDelegatecall(run, frame, target);
  const unnamed = call.data === "0x" ? readCoin(run, frame, target) : readRaw(run, frame, target);
  if (unnamed === null) return readData(run, frame, target);
  run.leaves.push(makeLeaf(frame, call, null));
  return [unnamed];
};
