// The effects of a run on some accounts: what they gain and lose, who may take what from them, who controls them.
// Amounts are measured before and after, because events can lie, and some contracts emit none.
import type { Hex } from "@countersign/wire";
import { addressIn, word } from "../hex.ts";
import { makeMachine, type Machine, type MachineOptions } from "../engine/machine.ts";
import type { Scene } from "../engine/scene-type.ts";
import type { Outcome } from "../engine/outcome.ts";
import { LimitExceeded } from "../engine/stop.ts";
import { readClaims, type ApprovalClaim, type Asset, type ControlClaim, type Claims } from "./events.ts";
import { readAllowance, readBalance } from "./measure.ts";

export type BalanceChange = {
  readonly asset: Asset;
  readonly holder: Hex;
  /** The sum of the events. Null if there are none, as for the native token. */
  readonly logged: bigint | null;
  /** Null if the contract does not answer. The native token without fees. */
  readonly measured: bigint | null;
  /**
   * Both in the block of the call: a balance that grows with time is that of this block. Null if the contract does not answer, or
   * if the state of the account is not known. The native token without fees.
   */
  readonly before: bigint | null;
  readonly after: bigint | null;
};

export type Approval = Omit<ApprovalClaim, "amount"> & {
  /** The amount in the last event. */
  readonly logged: bigint;
  /** Before and after the run. Null if the contract does not answer. */
  readonly before: bigint | null;
  readonly after: bigint | null;
};

export type ControlChange = Omit<ControlClaim, "kind"> & {
  readonly kind: ControlClaim["kind"] | "code";
  /** An event is a claim of its contract; storage and code are facts. */
  readonly by: "event" | "storage" | "code";
};

export type Effects = {
  readonly outcome: Outcome;
  readonly balances: readonly BalanceChange[];
  readonly approvals: readonly Approval[];
  /** Of any contract, in the order of the events, then by address. */
  readonly control: readonly ControlChange[];
  /** Changed storage of the accounts themselves, such as owners and modules of a Safe. */
  readonly ownSlots: Outcome["slots"];
  readonly unreadable: Claims["unreadable"];
  /** Contracts whose code names another one, in a known slot that the run read: their implementations before the run. */
  readonly proxies: readonly { readonly address: Hex; readonly implementation: Hex }[];
};

export type EffectsOptions = MachineOptions & {
  /** The accounts whose effects are read, in lower case. */
  readonly holders: readonly Hex[];
  /** Holders whose tokens are found even if they move without events. The sender always is. */
  readonly owners?: readonly Hex[];
  /** Measured for each holder even without an event. */
  readonly assets?: readonly Asset[];
  /** Accounts whose balances are measured like those of holders. Their storage may change with every block. */
  readonly recipients?: readonly Hex[];
};

/** More than an honest call needs. */
const maxMeasured = 200;

const keyOf = (asset: Asset): string =>
  asset.kind === "native"
    ? "native"
    : `${asset.kind} ${asset.token} ${"id" in asset ? asset.id.toString() : ""}`;

/** EIP-1967, and the older slot that USDC uses. */
const controlSlots = new Map<Hex, ControlClaim["kind"]>([
  ["0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc", "implementation"],
  ["0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103", "admin"],
  ["0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50", "beacon"],
  ["0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3", "implementation"],
]);

type Target = { readonly asset: Asset; readonly holder: Hex; readonly logged: bigint | null };
type TokenTarget = Target & { readonly asset: Exclude<Asset, { kind: "native" }> };

function listTargets({ movements }: Claims, options: EffectsOptions): readonly Target[] {
  const { assets = [], recipients = [] } = options;
  const holders = [...new Set([...options.holders, ...recipients])];
  const targets = new Map<string, Target>();
  for (const holder of holders)
    for (const asset of [{ kind: "native" } as const, ...assets])
      targets.set(`${holder} ${keyOf(asset)}`, { asset, holder, logged: null });
  for (const { asset, holder, change } of movements.filter((one) => holders.includes(one.holder))) {
    const key = `${holder} ${keyOf(asset)}`;
    targets.set(key, { asset, holder, logged: (targets.get(key)?.logged ?? 0n) + change });
  }
  return [...targets.values()];
}

/**
 * Returns contracts whose storage changes and about which no event or asset of the owner says anything: one of them may be a token that
 * moves without events.
 */
function listSilent({ slots }: Outcome, owner: Hex, targets: readonly Target[]): readonly TokenTarget[] {
  const isTarget = (token: Hex): boolean =>
    targets.some(({ asset, holder }) => holder === owner && asset.kind !== "native" && asset.token === token);
  return [...new Set(slots.map(({ address }) => address))]
    .filter((address) => address !== owner && !isTarget(address))
    .map((token) => ({ asset: { kind: "erc20", token }, holder: owner, logged: null }));
}

/** The last event about each allowance. */
function listApprovals({ approvals }: Claims, { holders }: EffectsOptions): readonly ApprovalClaim[] {
  const last = new Map<string, ApprovalClaim>();
  for (const one of approvals.filter(({ owner }) => holders.includes(owner)))
    last.set(`${one.kind} ${one.keeper} ${one.token} ${String(one.id)} ${one.owner} ${one.spender}`, one);
  return [...last.values()];
}

function listControl({ control }: Claims, { slots, codes }: Outcome): readonly ControlChange[] {
  const inStorage = slots.flatMap(({ address, slot, after }): ControlChange[] => {
    const kind = controlSlots.get(slot);
    return kind === undefined ? [] : [{ kind, address, to: addressIn(word(after)), by: "storage" }];
  });
  return [
    ...control.map((claim) => ({ ...claim, by: "event" as const })),
    ...inStorage,
    ...codes.map(({ address, after }) => ({
      kind: "code" as const,
      address,
      to: after,
      by: "code" as const,
    })),
  ];
}

/** Reads no account that the run did not need: a witness need not contain it. */
function readNative({ source }: Scene, holder: Hex, change: bigint): Pick<BalanceChange, "before" | "after"> {
  const account = source.findAccount(holder);
  if (account === undefined) return { before: null, after: null };
  const before = BigInt(account.balance);
  return { before, after: before + change };
}

/** An item that does not exist has no owner, and most contracts revert. */
function changeOf({ kind }: Asset, old: bigint | undefined, now: bigint | undefined): bigint | null {
  if (kind === "erc721") return (now ?? 0n) - (old ?? 0n);
  return old === undefined || now === undefined ? null : now - old;
}

async function measure(
  before: Machine,
  after: Machine,
  { asset, holder, logged }: TokenTarget,
): Promise<BalanceChange> {
  const [old, now] = [await readBalance(before, asset, holder), await readBalance(after, asset, holder)];
  return {
    ...{ asset, holder, logged, measured: changeOf(asset, old, now) },
    ...{ before: old ?? null, after: now ?? null },
  };
}

async function readAllowances(
  before: Machine,
  after: Machine,
  approvals: readonly ApprovalClaim[],
): Promise<readonly Approval[]> {
  const allowed: Approval[] = [];
  for (const { amount: logged, ...claim } of approvals) {
    const [old, now] = [
      await readAllowance(before, { ...claim, amount: logged }),
      await readAllowance(after, { ...claim, amount: logged }),
    ];
    allowed.push({ ...claim, logged, before: old ?? null, after: now ?? null });
  }
  return allowed;
}

/** Runs the calls and returns their effects together. Throws what `Machine.run` throws. */
export async function readEffects(scene: Scene, options: EffectsOptions): Promise<Effects> {
  const before = await makeMachine(scene, { ...options, onRead: undefined });
  const after = await makeMachine(scene, options);
  const outcome = await after.run();
  const claims = readClaims(outcome.logs);
  const [targets, approvals] = [listTargets(claims, options), listApprovals(claims, options)];
  const owners = [...new Set([scene.call.from, ...(options.owners ?? [])])];
  const silent = owners
    .filter((owner) => options.holders.includes(owner))
    .flatMap((owner) => listSilent(outcome, owner, targets));
  if (targets.length + silent.length + approvals.length > maxMeasured)
    throw new LimitExceeded("more balances and allowances than can be measured");
  const nativeChange = (holder: Hex): bigint => {
    const change = outcome.balances.find(({ address }) => address === holder)?.change ?? 0n;
    return holder === scene.call.from ? change + outcome.fee : change;
  };
  const balances: BalanceChange[] = [];
  for (const { asset, holder, logged } of targets) {
    const measured = nativeChange(holder);
    balances.push(
      asset.kind === "native"
        ? { asset, holder, logged, measured, ...readNative(scene, holder, measured) }
        : await measure(before, after, { asset, holder, logged }),
    );
  }
  for (const target of silent) {
    const balance = await measure(before, after, target);
    // Most of them are not tokens, and never answer.
    if (balance.before !== null || balance.after !== null) balances.push(balance);
  }
  return {
    outcome,
    balances: balances.filter(({ logged, measured }) => (logged ?? 0n) !== 0n || measured !== 0n),
    approvals: await readAllowances(before, after, approvals),
    control: listControl(claims, outcome),
    ownSlots: outcome.slots.filter(({ address }) => options.holders.includes(address)),
    unreadable: claims.unreadable,
    proxies: listProxies(scene, after),
  };
}

function listProxies({ source }: Scene, { state }: Machine): Effects["proxies"] {
  return state.listSlotsRead().flatMap(({ address, slot }) => {
    const value = BigInt(source.findSlot(address, slot) ?? "0x0");
    const isProxy = controlSlots.get(slot) === "implementation" && value !== 0n;
    return isProxy ? [{ address, implementation: addressIn(word(value)) }] : [];
  });
}
