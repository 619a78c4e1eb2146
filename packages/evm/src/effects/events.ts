// Reads the events that say where to look: who moved what, who may take what, who controls what. An event is a claim of its
// contract; `measure.ts` checks the claims.
import { decodeAbiParameters, toEventSelector } from "viem/utils";
import type { Hex } from "@countersign/wire";
import { addressIn } from "../hex.ts";
import type { Log } from "../engine/outcome.ts";

export type Asset =
  | { readonly kind: "native" }
  | { readonly kind: "erc20"; readonly token: Hex }
  | { readonly kind: "erc721" | "erc1155"; readonly token: Hex; readonly id: bigint };

type Movement = { readonly asset: Asset; readonly holder: Hex; readonly change: bigint };

/** `item`: one ERC-721 id. `all`: a whole collection; its amount is 1 or 0. */
export type ApprovalClaim = {
  readonly kind: "amount" | "item" | "all" | "permit2";
  /** The contract that keeps the approval: the token, or Permit2. */
  readonly keeper: Hex;
  readonly token: Hex;
  readonly id: bigint | null;
  readonly owner: Hex;
  readonly spender: Hex;
  readonly amount: bigint;
};

export type ControlClaim = {
  readonly kind: "owner" | "pending owner" | "implementation" | "admin" | "beacon" | "role";
  readonly address: Hex;
  readonly to: Hex;
};

export type Claims = {
  readonly movements: readonly Movement[];
  readonly approvals: readonly ApprovalClaim[];
  readonly control: readonly ControlClaim[];
  /** Events with a known name that do not have its form. */
  readonly unreadable: readonly Log[];
};

type Found = Partial<Omit<Claims, "unreadable">>;
/** Returns undefined for an event that does not have the form. */
type Reader = (log: Log, topics: readonly Hex[]) => Found | undefined;

const words = (data: Hex, count: number): readonly bigint[] | undefined =>
  data.length === 2 + 64 * count
    ? Array.from({ length: count }, (_, at) => BigInt(`0x${data.slice(2 + 64 * at, 66 + 64 * at)}`))
    : undefined;

/** Both sides of a transfer. A mint comes from, and a burn goes to, the zero address. */
const moved = (asset: Asset, { from, to, amount }: { from: Hex; to: Hex; amount: bigint }): Movement[] => [
  { asset, holder: from, change: -amount },
  { asset, holder: to, change: amount },
];

const readTransfer: Reader = ({ address: token, data }, [from, to, id]) => {
  if (from === undefined || to === undefined) return undefined;
  const ends = { from: addressIn(from), to: addressIn(to) };
  if (id !== undefined)
    return data === "0x"
      ? { movements: moved({ kind: "erc721", token, id: BigInt(id) }, { ...ends, amount: 1n }) }
      : undefined;
  const [amount] = words(data, 1) ?? [];
  return amount === undefined
    ? undefined
    : { movements: moved({ kind: "erc20", token }, { ...ends, amount }) };
};

const readSingle: Reader = ({ address: token, data }, [, from, to]) => {
  const [id, amount] = words(data, 2) ?? [];
  if (from === undefined || to === undefined || id === undefined || amount === undefined) return undefined;
  const ends = { from: addressIn(from), to: addressIn(to), amount };
  return { movements: moved({ kind: "erc1155", token, id }, ends) };
};

const lists = [{ type: "uint256[]" }, { type: "uint256[]" }] as const;
const readBatch: Reader = ({ address: token, data }, [, from, to]) => {
  if (from === undefined || to === undefined) return undefined;
  const [ids, amounts] = decodeAbiParameters(lists, data);
  if (ids.length !== amounts.length) return undefined;
  const ends = { from: addressIn(from), to: addressIn(to) };
  return {
    movements: ids.flatMap((id, at) =>
      moved({ kind: "erc1155", token, id }, { ...ends, amount: amounts[at] ?? 0n }),
    ),
  };
};

/** Wrapped native tokens log deposits and withdrawals instead of transfers. */
const readWrapping =
  (sign: bigint): Reader =>
  ({ address: token, data }, [holder]) => {
    const [amount] = words(data, 1) ?? [];
    if (holder === undefined || amount === undefined) return undefined;
    return {
      movements: [{ asset: { kind: "erc20", token }, holder: addressIn(holder), change: sign * amount }],
    };
  };

const readApproval: Reader = ({ address: token, data }, [owner, spender, id]) => {
  if (owner === undefined || spender === undefined) return undefined;
  const ends = { keeper: token, token, owner: addressIn(owner), spender: addressIn(spender) };
  if (id !== undefined)
    return data === "0x" ? { approvals: [{ kind: "item", id: BigInt(id), amount: 1n, ...ends }] } : undefined;
  const [amount] = words(data, 1) ?? [];
  return amount === undefined ? undefined : { approvals: [{ kind: "amount", id: null, amount, ...ends }] };
};

const readApprovalForAll: Reader = ({ address: token, data }, [owner, spender]) => {
  const [amount] = words(data, 1) ?? [];
  if (owner === undefined || spender === undefined || amount === undefined || amount > 1n) return undefined;
  const ends = { keeper: token, token, owner: addressIn(owner), spender: addressIn(spender) };
  return { approvals: [{ kind: "all", id: null, amount, ...ends }] };
};

const readPermit2: Reader = ({ address: keeper, data }, [owner, token, spender]) => {
  const [amount] = words(`0x${data.slice(2, 66)}`, 1) ?? [];
  if (owner === undefined || token === undefined || spender === undefined || amount === undefined)
    return undefined;
  const ends = { owner: addressIn(owner), token: addressIn(token), spender: addressIn(spender) };
  return { approvals: [{ kind: "permit2", keeper, id: null, amount, ...ends }] };
};

/** `from`: which topic, or which word of the data after the topics, names the new holder of control. */
const readControl =
  (kind: ControlClaim["kind"], from: number): Reader =>
  ({ address, data }, topics) => {
    const inData = Array.from(
      { length: (data.length - 2) / 64 },
      (_, at): Hex => `0x${data.slice(2 + 64 * at, 66 + 64 * at)}`,
    );
    const to = [...topics, ...inData][from];
    return to?.length === 66 ? { control: [{ kind, address, to: addressIn(to) }] } : undefined;
  };

const readers = new Map<Hex, Reader>(
  (
    [
      ["Transfer(address,address,uint256)", readTransfer],
      ["TransferSingle(address,address,address,uint256,uint256)", readSingle],
      ["TransferBatch(address,address,address,uint256[],uint256[])", readBatch],
      ["Deposit(address,uint256)", readWrapping(1n)],
      ["Withdrawal(address,uint256)", readWrapping(-1n)],
      ["Approval(address,address,uint256)", readApproval],
      ["ApprovalForAll(address,address,bool)", readApprovalForAll],
      ["Approval(address,address,address,uint160,uint48)", readPermit2],
      ["Permit(address,address,address,uint160,uint48,uint48)", readPermit2],
      ["OwnershipTransferred(address,address)", readControl("owner", 1)],
      ["OwnershipTransferStarted(address,address)", readControl("pending owner", 1)],
      ["Upgraded(address)", readControl("implementation", 0)],
      ["AdminChanged(address,address)", readControl("admin", 1)],
      ["BeaconUpgraded(address)", readControl("beacon", 0)],
      ["RoleGranted(bytes32,address,address)", readControl("role", 1)],
    ] as const
  ).map(([event, reader]) => [toEventSelector(event), reader]),
);

function readLog(log: Log): Found | undefined {
  const [name, ...topics] = log.topics;
  const reader = name === undefined ? undefined : readers.get(name);
  if (reader === undefined) return {};
  try {
    return reader(log, topics);
  } catch {
    return undefined;
  }
}

/** Returns what the events claim, in their order. */
export function readClaims(logs: readonly Log[]): Claims {
  const found = logs.map((log) => ({ log, claims: readLog(log) }));
  const all = found.map(({ claims }) => claims ?? {});
  return {
    movements: all.flatMap(({ movements = [] }) => movements),
    approvals: all.flatMap(({ approvals = [] }) => approvals),
    control: all.flatMap(({ control = [] }) => control),
    unreadable: found.filter(({ claims }) => claims === undefined).map(({ log }) => log),
  };
}
