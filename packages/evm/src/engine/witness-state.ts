// The engine's view of the state: reads come from the witness, writes stay here and can be undone.
import type { StateManagerInterface } from "@ethereumjs/common";
import { createAccount, type Account, type Address } from "@ethereumjs/util";
import { bytesToHex, hexToBytes, keccak256 } from "viem/utils";
import type { Hex } from "@countersign/wire";
import { emptyRoot, noCode } from "../hex.ts";
import type { WitnessAccount } from "../witness.ts";
import { MissingState } from "./stop.ts";

/** The state before the transaction. Undefined: not known. It may grow during a run, while a witness is captured. */
export type Source = {
  readonly findAccount: (address: Hex) => Pick<WitnessAccount, "balance" | "nonce" | "codeHash"> | undefined;
  /** A quantity. */
  readonly findSlot: (address: Hex, slot: Hex) => Hex | undefined;
  readonly findCode: (codeHash: Hex) => Hex | undefined;
};

/** Called for state that the witness does not contain. Returns once the source contains it, or throws. */
export type OnMissing = (missing: MissingState) => Promise<void>;

export type SlotChange = {
  readonly address: Hex;
  readonly slot: Hex;
  readonly before: bigint;
  readonly after: bigint;
};

export type WitnessState = StateManagerInterface & {
  /** Differences from the witness, in a fixed order. */
  readonly listBalanceChanges: () => readonly { readonly address: Hex; readonly change: bigint }[];
  readonly listSlotChanges: () => readonly SlotChange[];
  readonly listCodeChanges: () => readonly {
    readonly address: Hex;
    readonly before: Hex;
    readonly after: Hex;
  }[];
  /** Slots that were read from the witness, as address and slot. */
  readonly listSlotsRead: () => readonly { readonly address: Hex; readonly slot: Hex }[];
};

const none = new Uint8Array(0);
const copy = ({ nonce, balance, storageRoot, codeHash }: Account): Account =>
  createAccount({ nonce, balance, storageRoot, codeHash });
const toBytes = (value: Hex): Uint8Array =>
  value === "0x0" ? none : hexToBytes(value.length % 2 === 1 ? `0x0${value.slice(2)}` : value);
const toNumber = (bytes: Uint8Array): bigint => (bytes.length === 0 ? 0n : BigInt(bytesToHex(bytes)));
const byText =
  <T>(key: (one: T) => string) =>
  (one: T, other: T): number =>
    key(one) < key(other) ? -1 : 1;

function trimZeros(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0);
  return start === -1 ? none : bytes.slice(start);
}

/** Maps whose changes are undone from the newest to the oldest. Copying them at each call would cost more than the run. */
function makeJournal() {
  const undo: (() => void)[] = [];
  const marks: number[] = [];
  return {
    set: <K, V>(map: Map<K, V>, key: K, value: V): void => {
      const [had, old] = [map.has(key), map.get(key)];
      undo.push(() => (had ? map.set(key, old as V) : map.delete(key)));
      map.set(key, value);
    },
    checkpoint: async (): Promise<void> => void marks.push(undo.length),
    commit: async (): Promise<void> => void marks.pop(),
    revert: async (): Promise<void> => {
      const mark = marks.pop() ?? 0;
      while (undo.length > mark) undo.pop()?.();
    },
  };
}

function makeReader(source: Source, onMissing: OnMissing | undefined) {
  const fetchUntil = async <T>(find: () => T | undefined, missing: MissingState): Promise<T> => {
    let found = find();
    if (found === undefined && onMissing !== undefined) {
      await onMissing(missing);
      found = find();
    }
    if (found === undefined) throw missing;
    return found;
  };
  return {
    readAccount: (address: Hex) =>
      fetchUntil(() => source.findAccount(address), new MissingState(address, null)),
    readSlot: (address: Hex, slot: Hex) =>
      fetchUntil(() => source.findSlot(address, slot), new MissingState(address, slot)),
    readCode: (address: Hex, hash: Hex) =>
      fetchUntil(() => source.findCode(hash), new MissingState(address, null)),
  };
}

const at = (address: Address): Hex => address.toString();
const idOf = (address: Hex, slot: Hex): string => `${address} ${slot}`;

type Parts = {
  readonly source: Source;
  readonly reader: ReturnType<typeof makeReader>;
  readonly journal: ReturnType<typeof makeJournal>;
};

function makeAccounts({ source, reader, journal }: Parts) {
  const written = new Map<Hex, Account | undefined>();
  const codes = new Map<Hex, Uint8Array>();
  const get = async (where: Address): Promise<Account | undefined> => {
    const address = at(where);
    const known = written.get(address);
    if (known !== undefined || written.has(address)) return known && copy(known);
    const { balance, nonce, codeHash } = await reader.readAccount(address);
    if (balance === "0x0" && nonce === "0x0" && codeHash === noCode) return undefined;
    return createAccount({ nonce: BigInt(nonce), balance: BigInt(balance), codeHash: hexToBytes(codeHash) });
  };
  const put = async (where: Address, account?: Account): Promise<void> => {
    journal.set(written, at(where), account && copy(account));
  };
  const modify: StateManagerInterface["modifyAccountFields"] = async (where, fields) => {
    const { nonce, balance, storageRoot, codeHash } = (await get(where)) ?? createAccount({});
    await put(where, createAccount({ nonce, balance, storageRoot, codeHash, ...fields }));
  };
  const getCode = async (where: Address): Promise<Uint8Array> => {
    const account = await get(where);
    if (account?.isContract() !== true) return none;
    const hash = bytesToHex(account.codeHash);
    const known = codes.get(hash) ?? hexToBytes(await reader.readCode(at(where), hash));
    codes.set(hash, known);
    return known;
  };
  const putCode = async (where: Address, code: Uint8Array): Promise<void> => {
    const hash = keccak256(code);
    codes.set(hash, code);
    await modify(where, { codeHash: hexToBytes(hash) });
  };
  return { get, put, modify, getCode, putCode, ...listAccountChanges(source, written) };
}

function listAccountChanges(
  source: Source,
  written: ReadonlyMap<Hex, Account | undefined>,
): Pick<WitnessState, "listBalanceChanges" | "listCodeChanges"> {
  return {
    listBalanceChanges: () =>
      [...written]
        .map(([address, account]) => ({
          address,
          change: (account?.balance ?? 0n) - BigInt(source.findAccount(address)?.balance ?? "0x0"),
        }))
        .filter(({ change }) => change !== 0n)
        .sort(byText(({ address }) => address)),
    listCodeChanges: () =>
      [...written]
        .map(([address, account]) => ({
          address,
          before: source.findAccount(address)?.codeHash ?? noCode,
          after: account === undefined ? noCode : bytesToHex(account.codeHash),
        }))
        .filter((change) => change.before !== change.after)
        .sort(byText(({ address }) => address)),
  };
}

function makeStorage({ source, reader, journal }: Parts) {
  const written = new Map<string, Uint8Array>();
  const cleared = new Map<Hex, true>();
  /** Written and cleared by earlier transactions of the same run. */
  let settled = { written: new Map<string, Uint8Array>(), cleared: new Map<Hex, true>() };
  const read = new Map<string, { readonly address: Hex; readonly slot: Hex }>();
  /** As it was before the transaction. */
  const getOriginal = async (where: Address, key: Uint8Array): Promise<Uint8Array> => {
    const [address, slot] = [at(where), bytesToHex(key)];
    const known = settled.written.get(idOf(address, slot));
    if (known !== undefined) return known;
    if (settled.cleared.has(address)) return none;
    read.set(idOf(address, slot), { address, slot });
    return toBytes(await reader.readSlot(address, slot));
  };
  const get = async (where: Address, key: Uint8Array): Promise<Uint8Array> => {
    const known = written.get(idOf(at(where), bytesToHex(key)));
    if (known !== undefined) return known;
    return cleared.has(at(where)) ? none : getOriginal(where, key);
  };
  const settle = (): void => {
    settled = { written: new Map(written), cleared: new Map(cleared) };
  };
  const put = async (where: Address, key: Uint8Array, value: Uint8Array): Promise<void> => {
    journal.set(written, idOf(at(where), bytesToHex(key)), trimZeros(value));
  };
  const clear = async (where: Address): Promise<void> => {
    const address = at(where);
    for (const id of [...written.keys()].filter((one) => one.startsWith(address)))
      journal.set(written, id, none);
    journal.set(cleared, address, true);
  };
  const listSlotChanges: WitnessState["listSlotChanges"] = () =>
    [...written]
      .map(([id, bytes]) => {
        const [address, slot] = id.split(" ") as [Hex, Hex];
        const before = BigInt(source.findSlot(address, slot) ?? "0x0");
        return { address, slot, before, after: toNumber(bytes) };
      })
      .filter(({ before, after }) => before !== after)
      .sort(byText(({ address, slot }) => idOf(address, slot)));
  const listSlotsRead: WitnessState["listSlotsRead"] = () =>
    [...read.values()].sort(byText(({ address, slot }) => idOf(address, slot)));
  return { get, getOriginal, settle, put, clear, listSlotChanges, listSlotsRead };
}

export function makeWitnessState(source: Source, onMissing?: OnMissing): WitnessState {
  const journal = makeJournal();
  const parts = { source, journal, reader: makeReader(source, onMissing) };
  const [accounts, storage] = [makeAccounts(parts), makeStorage(parts)];
  const { listBalanceChanges, listCodeChanges, getCode, putCode } = accounts;
  const { listSlotChanges, listSlotsRead } = storage;
  return {
    ...{ getAccount: accounts.get, putAccount: accounts.put, modifyAccountFields: accounts.modify },
    ...{ getCode, putCode, getCodeSize: async (where) => (await getCode(where)).length },
    ...{ getStorage: storage.get, putStorage: storage.put, clearStorage: storage.clear },
    deleteAccount: async (where) => {
      await accounts.put(where, undefined);
      await storage.clear(where);
    },
    ...{ checkpoint: journal.checkpoint, commit: journal.commit, revert: journal.revert },
    // Roots are not computed: the result is the list of changes.
    getStateRoot: async () => hexToBytes(emptyRoot),
    setStateRoot: async () => undefined,
    hasStateRoot: async () => true,
    // The engine clears it between transactions.
    originalStorageCache: { get: storage.getOriginal, clear: storage.settle },
    clearCaches: () => undefined,
    shallowCopy: () => makeWitnessState(source, onMissing),
    ...{ listBalanceChanges, listCodeChanges, listSlotChanges, listSlotsRead },
  };
}
