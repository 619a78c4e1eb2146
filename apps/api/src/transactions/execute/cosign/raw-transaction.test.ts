import fc from "fast-check";
import { keccak256, serializeTransaction, toRlp, type Hex, type TransactionSerializable } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { readRawTransaction } from "./raw-transaction.ts";

const to = `0x${"11".repeat(20)}` as const;
const call = { chainId: 5, nonce: 3, to, value: 7n, data: "0xabcd" } as const;
const fees = { gas: 50_000n, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n };
const dynamic = { type: "eip1559", ...call, ...fees } as const;

const read = (raw: string, payload?: string) => readRawTransaction({ rawTx: [{ rawTx: raw, payload }] });
const callIn = (found: ReturnType<typeof read>) => ("call" in found ? found.call : undefined);
const readSerialized = (transaction: TransactionSerializable) => read(serializeTransaction(transaction));

describe("the bytes that would be signed", () => {
  test.each<[string, TransactionSerializable]>([
    ["legacy", { type: "legacy", ...call, gas: 1n, gasPrice: 1n }],
    ["eip2930", { type: "eip2930", ...call, gas: 1n, gasPrice: 1n, accessList: [] }],
    ["eip1559", dynamic],
  ])("are parsed when they are %s", (_type, transaction) => {
    expect(callIn(readSerialized(transaction))).toEqual(call);
  });
  test.each<[TransactionSerializable, object]>([
    [
      { type: "legacy", ...call, gas: 21n, gasPrice: 8n },
      { gas: 21n, maxFeePerGas: 8n, maxPriorityFeePerGas: 8n, accessList: [] },
    ],
    [
      { type: "eip2930", ...call, gas: 21n, gasPrice: 8n, accessList: [{ address: to, storageKeys: [] }] },
      {
        ...{ gas: 21n, maxFeePerGas: 8n, maxPriorityFeePerGas: 8n },
        accessList: [{ address: to, storageKeys: [] }],
      },
    ],
    [dynamic, { ...fees, accessList: [] }],
    [
      { type: "eip1559", ...call },
      { gas: 0n, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n, accessList: [] },
    ],
  ])("come with the gas and fees that the custodian chose: %#", (transaction, terms) => {
    expect(readSerialized(transaction)).toEqual({ call, terms });
  });
  test("are parsed with and without a prefix, in lower and upper case", () => {
    const raw = serializeTransaction(dynamic);
    for (const text of [raw, raw.slice(2), raw.slice(2).toUpperCase(), `0X${raw.slice(2)}`])
      expect(callIn(read(text))).toEqual(call);
  });
  test("are parsed as the custodian's documentation shows them, along with the hash that is signed", () => {
    const raw =
      "02ef0104843b9aca008506a0c1987d825208945dc69b1fbb13bafd09af88a782f0f285772ad5f8872386f26fc1000080c0";
    const told = "77b4e74099ce90c08503c0e0bb6e672dbe1c5e3e127ce333bf22eb581cd3f6ce";
    expect(callIn(read(raw, told))).toEqual({
      chainId: 1,
      nonce: 4,
      to: "0x5dc69b1fbb13bafd09af88a782f0f285772ad5f8",
      value: 10n ** 16n,
      data: "0x",
    });
  });
  test("round-trip through serialization", () => {
    fc.assert(
      fc.property(
        fc.record({
          chainId: fc.integer({ min: 1, max: 2 ** 40 }),
          nonce: fc.nat(),
          to: fc.uint8Array({ minLength: 20, maxLength: 20 }).map(hexOf),
          value: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
          data: fc.uint8Array({ maxLength: 200 }).map(hexOf),
        }),
        (any) => {
          expect(callIn(readSerialized({ type: "eip1559", ...fees, ...any }))).toEqual(any);
          expect(callIn(readSerialized({ type: "legacy", gas: 1n, gasPrice: 2n, ...any }))).toEqual(any);
        },
      ),
    );
  });
  test("are another call, or invalid, when one byte changes, except for fees and gas", () => {
    const raw = Buffer.from(serializeTransaction(dynamic).slice(2), "hex");
    // Type, length, chain and nonce come first; then the two fees with a byte each, and the gas with three.
    const isCost = (index: number): boolean => index >= 4 && index < 9;
    for (let index = 0; index < raw.length; index++)
      for (let change = 1; change < 256; change++) {
        const changed = Buffer.from(raw);
        changed[index] = (changed[index] ?? 0) ^ change;
        if (!isCost(index)) expect(callIn(read(changed.toString("hex")))).not.toEqual(call);
      }
  });
});

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString("hex")}`;
describe("rejects", () => {
  const why = (found: ReturnType<typeof read>) => ("why" in found ? found.why : undefined);

  test("missing bytes, or several transactions", () => {
    const [one] = [{ rawTx: serializeTransaction(dynamic) }];
    for (const rawTx of [undefined, null, []])
      expect(readRawTransaction({ rawTx })).toEqual({ why: "send the raw transaction" });
    expect(why(readRawTransaction({ rawTx: [one, one] }))).toContain("more than one");
  });
  test.each(["", "0x", "xyz", "0x1", "02ef01", "c0", "02c0", "ff", `02${"00".repeat(99)}`])(
    "unreadable bytes: %j",
    (raw) => {
      expect(why(read(raw))).toBeDefined();
    },
  );
  test("bytes with a prefix or suffix", () => {
    const raw = serializeTransaction(dynamic).slice(2);
    for (const text of [`${raw}00`, `00${raw}`, `${raw}${raw}`, ` ${raw}`])
      expect(why(read(text))).toBeDefined();
  });
  test("a non-canonical encoding", () => {
    // A leading zero in the value, which some parsers accept.
    const fields: Hex[] = ["0x05", "0x03", "0x01", "0x09", "0xc350", to, "0x0007", "0xabcd"];
    expect(why(read(`0x02${toRlp([...fields, []]).slice(2)}`))).toBe("the raw transaction cannot be read");
    fields[6] = "0x07";
    expect(callIn(read(`0x02${toRlp([...fields, []]).slice(2)}`))).toEqual(call);
  });
  test("bytes with another hash than reported", () => {
    const raw = serializeTransaction(dynamic);
    expect(callIn(read(raw, keccak256(raw)))).toEqual(call);
    expect(callIn(read(raw, keccak256(raw).slice(2).toUpperCase()))).toEqual(call);
    for (const told of [keccak256("0x00"), "00", "no hash"])
      expect(why(read(raw, told))).toBe("payload differs from the hash of the raw transaction");
  });
  test("bytes that are already signed", async () => {
    const account = privateKeyToAccount(`0x${"12".repeat(32)}`);
    expect(why(read(await account.signTransaction(dynamic)))).toBe("the raw transaction is already signed");
  });
  test("a transaction without a chain, and a contract creation", () => {
    const { chainId: _chain, ...anywhere } = call;
    expect(why(readSerialized({ type: "legacy", ...anywhere, gas: 1n, gasPrice: 1n }))).toContain("no chain");
    expect(why(readSerialized({ ...dynamic, to: null }))).toContain("no recipient");
  });
  test("a transaction that delegates the wallet to code, or carries blobs", async () => {
    const account = privateKeyToAccount(`0x${"12".repeat(32)}`);
    const authorization = await account.signAuthorization({ contractAddress: to, chainId: 5, nonce: 0 });
    const handingOver = { ...dynamic, type: "eip7702", authorizationList: [authorization] } as const;
    expect(why(readSerialized(handingOver))).toContain("of this type are not signed");
    const blobs = { ...dynamic, type: "eip4844", maxFeePerBlobGas: 1n } as const;
    const hashes = { blobVersionedHashes: [`0x01${"00".repeat(31)}`] as const };
    expect(why(readSerialized({ ...blobs, ...hashes }))).toContain("of this type are not signed");
  });
});
