import { Transaction, Wallet } from "ethers";
import fc from "fast-check";
import { keccak256, parseEther, type Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { payee } from "../../test/payment.ts";
import { makeWallet } from "../../test/eip1193/wallet.ts";
import { scripted, type Script } from "../../test/viem/scripted.ts";
import { refusedMethods } from "../guard/refused-methods.ts";
import { findNotApproved, guardRpc, type RpcOptions } from "./index.ts";
import { readRaw } from "./read-raw.ts";

const words = `Send 0.01 ETH to ${payee}`;
const key = generatePrivateKey();
const account = privateKeyToAccount(key);
const chainId = 11_155_111;
const call = { to: payee, value: parseEther("0.01"), data: "0xabcd" } as const;
const fees = { gas: 50_000n, maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 1n, nonce: 7 };
const sign = (over: object = {}): Promise<Hex> =>
  account.signTransaction({ type: "eip1559", chainId, ...call, ...fees, ...over } as never);

function make(script: Script = {}, options: Partial<RpcOptions> = {}, over: object = {}) {
  const answers = { eth_sendRawTransaction: (raw: Hex) => keccak256(raw), ...over };
  const node = makeWallet(answers, account);
  const { countersign, proposals } = scripted(script);
  const guarded = guardRpc(node.provider, { countersign, words, ...options });
  const ask = (method: string, params: readonly unknown[]): Promise<unknown> =>
    guarded.request({ method, params });
  const send = (raw: unknown) => ask("eth_sendRawTransaction", [raw]);
  const sent = () =>
    node.asked.filter(({ method }) => method === "eth_sendRawTransaction").map(({ params }) => params?.[0]);
  return { ask, send, sent, proposals, did: node.did };
}

const refusalOf = async (action: Promise<unknown>): Promise<string> => {
  const error: unknown = await action.then(
    () => "done",
    (thrown: unknown) => thrown,
  );
  return findNotApproved(error)?.message ?? expect.unreachable(`not a refusal: ${String(error)}`);
};

describe("a signed transaction", () => {
  test("is proposed as it was signed, and sent unchanged once it is approved", async () => {
    const { send, sent, proposals } = make();
    const raw = await sign();
    expect(await send(raw)).toBe(keccak256(raw));
    const tx = { ...call, to: payee.toLowerCase() };
    expect(proposals).toEqual([{ tx, chainId, escrowAddress: account.address, userPrompt: words }]);
    expect(sent()).toEqual([raw]);
  });

  test("is not sent if it is not approved", async () => {
    const { send, sent } = make({ decide: () => ({ status: "REJECTED", reason: "because" }) });
    expect(await refusalOf(send(await sign()))).toBe("Not sent: REJECTED. because");
    expect(sent()).toEqual([]);
  });

  test("is not sent if another one was approved", async () => {
    const tx = { ...call, to: account.address, value: call.value.toString() };
    const { send, sent } = make({ decide: () => ({ tx }) });
    expect(await refusalOf(send(await sign()))).toMatch("differs from the requested one");
    expect(sent()).toEqual([]);
  });

  test("is read as viem and ethers wrote it, whatever it contains", async () => {
    const amounts = fc.bigInt({ min: 0n, max: 2n ** 80n });
    const calls = fc.record({
      to: fc.uint8Array({ minLength: 20, maxLength: 20 }),
      value: amounts,
      data: fc.uint8Array({ maxLength: 70 }),
      nonce: fc.nat(),
      gas: amounts,
      maxFeePerGas: amounts,
      chainId: fc.integer({ min: 1, max: 2 ** 31 }),
      type: fc.constantFrom("legacy" as const, "eip1559" as const),
      isByEthers: fc.boolean(),
    });
    const hex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString("hex")}`;
    await fc.assert(
      fc.asyncProperty(calls, async ({ isByEthers, type, maxFeePerGas, gas, ...rest }) => {
        const one = { ...rest, to: hex(rest.to), data: hex(rest.data) };
        const price =
          type === "legacy" ? { gasPrice: maxFeePerGas } : { maxFeePerGas, maxPriorityFeePerGas: 0n };
        const raw = isByEthers
          ? await new Wallet(key).signTransaction({
              ...{ ...one, ...price, gasLimit: gas, type: type === "legacy" ? 0 : 2 },
            })
          : await account.signTransaction({ ...one, ...price, gas, type } as never);
        const read = await readRaw([raw]);
        expect(read).toMatchObject({ raw, hash: Transaction.from(raw).hash, nonce: one.nonce });
        expect([read.from, read.chainId]).toEqual([account.address, one.chainId]);
        expect(read.send.call).toEqual({ to: one.to, value: one.value, data: one.data });
        expect(read.send.fees.gas ?? 0n).toBe(gas);
      }),
      { numRuns: 60 },
    );
  });

  const odd: [string, () => Promise<unknown>, RegExp][] = [
    ["no transaction", async () => "0x1234", /can be read/],
    ["no hex", async () => "hello", /not a single signed transaction/],
    ["a list", async () => ["0x00"], /not a single signed transaction/],
    ["a deployment", () => sign({ to: undefined }), /no recipient/],
    ["an access list", () => sign({ accessList: [{ address: payee, storageKeys: [] }] }), /accessList/],
    [
      "a transaction of type 1",
      () => sign({ type: "eip2930", maxFeePerGas: undefined, maxPriorityFeePerGas: undefined, gasPrice: 1n }),
      /of its type/,
    ],
    [
      "a transaction with authorizations",
      async () => {
        const authorization = await account.signAuthorization({ address: payee, chainId, nonce: 8 });
        return sign({ type: "eip7702", authorizationList: [authorization] });
      },
      /authorizationList/,
    ],
    [
      "a signature without a chain",
      () =>
        sign({
          ...{ type: "legacy", chainId: undefined, gasPrice: 1n },
          ...{ maxFeePerGas: undefined, maxPriorityFeePerGas: undefined },
        }),
      /valid on every chain/,
    ],
    ["another chain", () => sign({ chainId: 1 }), /the wallet is on chain 11155111/],
    [
      "an unsigned transaction",
      async () => Transaction.from({ type: 2, to: payee, chainId }).unsignedSerialized,
      /not signed/,
    ],
    ["bytes after it", async () => `${await sign()}00`, /can be read|canonical/],
    ["a fee above the limit", () => sign({ gas: 10n ** 7n, maxFeePerGas: 10n ** 11n }), /the fee of up to/],
    ["a nonce that waits for another", () => sign({ nonce: 9 }), /nonce 9 waits .* next nonce is 7/],
  ];
  test.each(odd)("is refused before it is proposed: %s", async (_, given, why) => {
    const { send, sent, proposals } = make();
    const raw = await given();
    expect(await refusalOf(send(raw))).toMatch(why);
    expect([sent(), proposals]).toEqual([[], []]);
  });

  test("is refused with other parameters next to it", async () => {
    const { ask, sent } = make();
    expect(await refusalOf(ask("eth_sendRawTransaction", [await sign(), "latest"]))).toMatch("not a single");
    expect(sent()).toEqual([]);
  });

  test("is refused if the node does not return the account's nonce", async () => {
    const { send, sent, proposals } = make({}, {}, { eth_getTransactionCount: null });
    await expect(send(await sign())).rejects.toThrow("did not return the account's nonce");
    expect([sent(), proposals]).toEqual([[], []]);
  });

  test("that is sent again while it waits is proposed once", async () => {
    const { send, sent, proposals } = make();
    const raw = await sign();
    const again = raw.toUpperCase().replace("0X", "0x");
    expect(await Promise.all([send(raw), send(again)])).toEqual([keccak256(raw), keccak256(raw)]);
    expect(await send(raw)).toBe(keccak256(raw));
    expect([sent(), proposals]).toMatchObject([[raw], [{}]]);
  });

  test("can be tried again after a refusal", async () => {
    let status: "REJECTED" | "APPROVED" = "REJECTED";
    const { send, sent, proposals } = make({ decide: () => ({ status }) });
    const raw = await sign();
    await refusalOf(send(raw));
    status = "APPROVED";
    await send(raw);
    expect([sent(), proposals.length]).toEqual([[raw], 2]);
  });

  test("is not sent after the caller has given up", async () => {
    const { signal, abort } = controller();
    const { send, sent } = make({ decide: () => (abort(), {}) }, { signal });
    await expect(send(await sign())).rejects.toThrow("given up");
    expect(sent()).toEqual([]);
  });
});

function controller() {
  const one = new AbortController();
  return {
    signal: one.signal,
    abort: () => {
      one.abort(new Error("given up"));
    },
  };
}

describe("held transactions", () => {
  test("are answered with their hash at once, and sent in their order", async () => {
    const held: Promise<Hex>[] = [];
    const onHeld: RpcOptions["onHeld"] = (_, sent) => void held.push(sent);
    let next = 7;
    const { promise: isOpen, resolve: open } = Promise.withResolvers<undefined>();
    const over = {
      eth_getTransactionCount: async () => (await isOpen, `0x${next.toString(16)}`),
      eth_sendRawTransaction: (raw: Hex) => (next++, keccak256(raw)),
    };
    const { send, sent, proposals } = make({}, { onHeld }, over);
    const raws = [await sign(), await sign({ nonce: 8 })];
    for (const raw of raws) expect(await send(raw)).toBe(keccak256(raw));
    expect([sent(), proposals]).toEqual([[], []]);
    open(undefined);
    expect(await Promise.all(held)).toEqual(raws.map((raw) => keccak256(raw)));
    expect(sent()).toEqual(raws);
    expect(proposals).toHaveLength(2);
  });

  test("after one that was not sent are not sent either", async () => {
    const held: Promise<Hex>[] = [];
    const onHeld: RpcOptions["onHeld"] = (_, sent) => void held.push(sent);
    const { send, sent, proposals } = make({ decide: () => ({ status: "REJECTED" }) }, { onHeld });
    await send(await sign());
    await send(await sign({ nonce: 8 }));
    expect(await Promise.all(held.map(refusalOf))).toEqual([
      "Not sent: REJECTED",
      expect.stringMatching("nonce 8 waits") as string,
    ]);
    expect([sent(), proposals.length]).toEqual([[], 1]);
  });

  test("that cannot be approved at all are refused at once", async () => {
    const { send } = make({}, { onHeld: () => expect.unreachable() });
    expect(await refusalOf(send(await sign({ to: undefined })))).toMatch("no recipient");
  });

  test("keep the request of the moment in which they arrived", async () => {
    const held: Promise<Hex>[] = [];
    const onHeld: RpcOptions["onHeld"] = (_, sent) => void held.push(sent);
    let now = "Send the first";
    const { send, proposals } = make({}, { onHeld, words: () => now });
    await send(await sign());
    now = "Send the second";
    await Promise.all(held);
    expect(proposals.map(({ userPrompt }) => userPrompt)).toEqual(["Send the first"]);
  });
});

describe("other methods", () => {
  const others = Object.keys(refusedMethods).filter((method) => method !== "eth_sendRawTransaction");
  test.each([...others, "anvil_setBalance", "debug_setHead", "unknown_method"])(
    "%s is refused",
    async (method) => {
      const { ask, did, proposals } = make();
      expect(await refusalOf(ask(method, [await sign()]))).toMatch("is not allowed");
      expect([did(), proposals]).toEqual([[], []]);
    },
  );

  test("reads pass", async () => {
    const { ask } = make();
    expect(await ask("eth_getBalance", [payee, "latest"])).toBe("0x64");
  });

  test("a transaction that the node would sign is proposed too", async () => {
    const { ask, proposals, did } = make({ decide: () => ({ status: "REJECTED" }) });
    const send = ask("eth_sendTransaction", [{ from: account.address, to: payee, value: "0x1" }]);
    expect(await refusalOf(send)).toBe("Not sent: REJECTED");
    expect([did(), proposals.length]).toEqual([[], 1]);
  });
});
