import fc from "fast-check";
import { erc20Abi, parseEther, parseTransaction, publicActions, type Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { mainnet, sepolia } from "viem/chains";
import { createNonceManager, jsonRpc } from "viem/nonce";
import { describe, expect, test } from "vitest";
import { ServiceError } from "../errors.ts";
import type { TransactionView } from "../types.ts";
import { findNotApproved, guard, isNotApproved, NotApprovedError } from "./index.ts";
import {
  account,
  aView,
  recordingNode,
  requestHash,
  scripted,
  transactionHash,
} from "../../test/viem/scripted.ts";

const bob = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const token = "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238";
const words = `Send 0.01 ETH to ${bob}`;
const payment = { to: bob, value: parseEther("0.01") } as const;

/** Returns the refusal of a guarded wallet. */
async function refusalOf(action: Promise<unknown>): Promise<NotApprovedError> {
  const error = await action.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const found = findNotApproved(error);
  if (found === undefined) throw new Error(`not a refusal: ${String(error)}`);
  return found;
}

/** The two kinds of wallet: one whose key we have, and one that keeps its own. */
const kinds = [
  ["a wallet with its key here", account],
  ["a wallet that holds the key", account.address],
] as const;

describe.each(kinds)("%s", (_, of) => {
  test("proposes the transaction with the request and sends exactly that", async () => {
    const node = recordingNode();
    const { countersign, proposals } = scripted();
    const wallet = guard(node.wallet(of), { countersign, words });
    expect(await wallet.sendTransaction({ ...payment, data: "0xAbCd" })).toBe(transactionHash);
    expect(proposals).toEqual([
      {
        tx: { ...payment, data: "0xAbCd" },
        chainId: sepolia.id,
        escrowAddress: account.address,
        userPrompt: words,
      },
    ]);
    expect(node.sent()).toEqual(
      [{ to: bob.toLowerCase(), value: payment.value, data: "0xabcd", chainId: sepolia.id }].map((one) =>
        typeof of === "string" ? { ...one, data: "0xAbCd" } : one,
      ),
    );
  });

  test("writes to contracts", async () => {
    const node = recordingNode();
    const wallet = guard(node.wallet(of), { countersign: scripted().countersign, words });
    await wallet.writeContract({ address: token, abi: erc20Abi, functionName: "transfer", args: [bob, 5n] });
    expect(node.sent()).toMatchObject([{ to: token.toLowerCase(), value: 0n }]);
    expect(node.sent()[0]?.data.slice(0, 10)).toBe("0xa9059cbb");
  });

  test("reads the chain", async () => {
    const node = recordingNode();
    const wallet = guard(node.wallet(of), { countersign: scripted().countersign, words });
    const reader = wallet.extend(publicActions);
    expect(await reader.getBalance({ address: bob })).toBe(100n);
    expect(await reader.getChainId()).toBe(sepolia.id);
    expect(await wallet.getAddresses()).toEqual([account.address]);
    expect(node.sent()).toEqual([]);
  });

  test("passes the call to a function given as words", async () => {
    const { countersign, proposals } = scripted();
    const wallet = guard(recordingNode().wallet(of), {
      countersign,
      words: async ({ to }) => `Send it to ${to}`,
    });
    await wallet.sendTransaction(payment);
    expect(proposals[0]?.userPrompt).toBe(`Send it to ${bob}`);
  });

  test.each(["REJECTED", "FAILED", "PENDING"] as const)(
    "sends nothing if the status is %s",
    async (status) => {
      const node = recordingNode();
      const { countersign } = scripted({ decide: () => ({ status, reason: "because" }) });
      const wallet = guard(node.wallet(of), { countersign, words });
      const refusal = await refusalOf(wallet.sendTransaction(payment));
      expect(refusal.message).toBe(`Not sent: ${status}. because`);
      expect(refusal.transaction?.requestHash).toBe(requestHash);
      expect(node.sent()).toEqual([]);
    },
  );

  const others: [string, Partial<TransactionView>][] = [
    ["recipient", { tx: { to: token, value: "10000000000000000", data: "0x" } }],
    ["amount", { tx: { to: bob, value: "1", data: "0x" } }],
    ["data", { tx: { to: bob, value: "10000000000000000", data: "0x00" } }],
    ["chain", { chainId: 1 }],
    ["account", { escrowAddress: bob }],
    ["proposal", { requestHash: transactionHash }],
    ["content, which is sealed", { tx: null }],
  ];
  test.each(others)("sends nothing if the approved %s differs", async (_name, over) => {
    const node = recordingNode();
    const { countersign } = scripted({ decide: () => over });
    const wallet = guard(node.wallet(of), { countersign, words });
    const { message } = await refusalOf(wallet.sendTransaction(payment));
    expect(message).toBe("Not sent: the approved transaction differs from the requested one");
    expect(node.sent()).toEqual([]);
  });

  test("sends nothing a second time", async () => {
    const node = recordingNode();
    const { countersign } = scripted({ decide: () => ({ status: "EXECUTED" }) });
    const wallet = guard(node.wallet(of), { countersign, words });
    expect((await refusalOf(wallet.sendTransaction(payment))).message).toMatch("already sent");
    expect(node.sent()).toEqual([]);
  });

  test("leaves sending to the service if it is the executor", async () => {
    const node = recordingNode();
    const { countersign } = scripted({
      decide: () => ({ executor: "service" }),
      executed: { executor: "service", status: "EXECUTED", transactionHash: requestHash },
    });
    expect(await guard(node.wallet(of), { countersign, words }).sendTransaction(payment)).toBe(requestHash);
    expect(node.sent()).toEqual([]);
  });

  test("reports why the service could not send", async () => {
    const { countersign } = scripted({
      decide: () => ({ executor: "service" }),
      executed: { executor: "service", status: "FAILED", reasonDetail: "The custodian refused." },
    });
    const wallet = guard(recordingNode().wallet(of), { countersign, words });
    expect((await refusalOf(wallet.sendTransaction(payment))).message).toBe(
      "Not sent: The custodian refused.",
    );
  });

  test("sends nothing on another chain", async () => {
    const node = recordingNode();
    const { countersign, proposals } = scripted();
    const wallet = guard(node.wallet(of, mainnet), { countersign, words });
    await expect(wallet.sendTransaction(payment)).rejects.toThrow();
    expect(
      isNotApproved(await wallet.sendTransaction({ ...payment, chain: null }).catch((e: unknown) => e)),
    ).toBe(true);
    expect([proposals, node.sent()]).toEqual([[], []]);
  });

  test("passes on errors of the service and sends nothing", async () => {
    const node = recordingNode();
    const away = new ServiceError({ status: 500, message: "away" } as never);
    const countersign = { ...scripted().countersign, propose: () => Promise.reject(away) };
    const wallet = guard(node.wallet(of), { countersign, words });
    const error: unknown = await wallet.sendTransaction(payment).catch((thrown: unknown) => thrown);
    expect((error as { walk: (of: (e: unknown) => boolean) => unknown }).walk((e) => e === away)).toBe(away);
    expect(isNotApproved(error)).toBe(false);
    expect(node.sent()).toEqual([]);
  });

  test("calls the wallet once and reports its error", async () => {
    for (const code of [-32_000, -32_601, -32_603, undefined]) {
      const method = typeof of === "string" ? "eth_sendTransaction" : "eth_sendRawTransaction";
      const node = recordingNode({ [method]: Object.assign(new Error("no"), { code }) });
      const wallet = guard(node.wallet(of), { countersign: scripted().countersign, words });
      const error: unknown = await wallet.sendTransaction(payment).catch((thrown: unknown) => thrown);
      expect(String(error)).toMatch("Approved, but the wallet did not send it");
      expect(isNotApproved(error)).toBe(false);
      expect(node.sent()).toHaveLength(1);
      expect(node.methods()).not.toContain("wallet_sendTransaction");
    }
  });

  test("ignores a data suffix of the client", async () => {
    const node = recordingNode();
    const bare = { ...node.wallet(of), dataSuffix: "0xdeadbeef" as Hex };
    await guard(bare, { countersign: scripted().countersign, words }).sendTransaction(payment);
    expect(node.sent()).toMatchObject([{ data: "0x" }]);
  });

  test("is not affected by later changes of the request object", async () => {
    const node = recordingNode();
    const { countersign } = scripted();
    const wallet = guard(node.wallet(of), {
      countersign: {
        ...countersign,
        propose: (proposal, options) => {
          asked.to = token;
          asked.value = "0xffff";
          expect(() => Object.assign(proposal.tx ?? {}, { to: token })).toThrow(TypeError);
          return countersign.propose(proposal, options);
        },
      },
      words,
    });
    const asked = { from: account.address, to: bob as Hex, value: "0x1" as Hex };
    await wallet.request({ method: "eth_sendTransaction", params: [asked] });
    expect(node.sent()).toMatchObject([{ to: bob.toLowerCase(), value: 1n }]);
  });

  test("stops when aborted", async () => {
    const node = recordingNode();
    const controller = new AbortController();
    const { countersign } = scripted({
      decide: () => {
        controller.abort(new Error("enough"));
        return {};
      },
    });
    const wallet = guard(node.wallet(of), { countersign, words, signal: controller.signal });
    await expect(wallet.sendTransaction(payment)).rejects.toThrow("enough");
    expect(node.sent()).toEqual([]);
  });

  test("exposes neither the account's key nor the transport", () => {
    const { request, wallet } = recordingNode();
    const bare = wallet(of);
    const guarded = guard(bare, { countersign: scripted().countersign, words });
    expect(guarded.account).toEqual({ address: account.address, type: "json-rpc" });
    const reachable = [guarded, guarded.transport, guarded.account].flatMap((one): unknown[] =>
      Object.values(one),
    );
    expect(reachable).not.toContain(request);
    expect(reachable).not.toContain(bare.request);
    expect(reachable).not.toContain(bare.transport);
  });
});

describe("other wallet methods", () => {
  const typed = {
    domain: {},
    types: { Permit: [{ name: "value", type: "uint256" }] },
    primaryType: "Permit",
    message: { value: "1" },
  } as const;
  const other = privateKeyToAccount(generatePrivateKey());
  const make = () => {
    const node = recordingNode();
    const { countersign, proposals } = scripted();
    const wallet = guard(node.wallet(), { countersign, words }).extend(publicActions);
    return { node, wallet, proposals };
  };
  type Guarded = ReturnType<typeof make>["wallet"];
  const call = (wallet: Guarded, method: string, params: unknown[] = []): Promise<unknown> =>
    wallet.request({ method, params } as never);
  const attempts: [string, (wallet: Guarded) => Promise<unknown>][] = [
    ["a hash", (wallet) => wallet.signMessage({ message: { raw: `0x${"ff".repeat(32)}` } })],
    [
      "typed data in an older form",
      (wallet) => call(wallet, "eth_signTypedData_v3", [account.address, typed]),
    ],
    [
      "typed data of an unversioned method",
      (wallet) => call(wallet, "eth_signTypedData", [typed, account.address]),
    ],
    ["typed data for another signer", (wallet) => call(wallet, "eth_signTypedData_v4", [bob, typed])],
    ["no typed data", (wallet) => call(wallet, "eth_signTypedData_v4", [account.address])],
    ["typed data that is not JSON", (wallet) => call(wallet, "eth_signTypedData_v4", [account.address, "{"])],
    ["two messages", (wallet) => call(wallet, "eth_signTypedData_v4", [account.address, typed, typed])],
    [
      "typed data with a member that no type covers",
      (wallet) =>
        call(wallet, "eth_signTypedData_v4", [
          account.address,
          { ...typed, message: { value: 1, note: "" } },
        ]),
    ],
    [
      "typed data for another chain",
      (wallet) =>
        call(wallet, "eth_signTypedData_v4", [account.address, { ...typed, domain: { chainId: 1 } }]),
    ],
    ["a signed transaction", (wallet) => wallet.signTransaction({ ...payment, type: "eip1559" })],
    ["a raw transaction", (wallet) => wallet.sendRawTransaction({ serializedTransaction: "0x02c0" })],
    ["calls of another account", (wallet) => wallet.sendCalls({ calls: [payment], account: bob })],
    [
      "calls with a paymaster",
      (wallet) =>
        wallet.sendCalls({
          calls: [payment],
          capabilities: { paymasterService: { url: "https://example.com" } },
        }),
    ],
    ["a deployment", (wallet) => wallet.deployContract({ abi: [], bytecode: "0x00" })],
    ["another chain", (wallet) => wallet.addChain({ chain: mainnet })],
    ["a switch of chain", (wallet) => wallet.switchChain({ id: 1 })],
    ["permissions", (wallet) => wallet.requestPermissions({ eth_accounts: {} })],
    ["a transaction of another account", (wallet) => wallet.sendTransaction({ ...payment, account: bob })],
    [
      "another key's transaction",
      (wallet) => wallet.sendTransaction({ ...payment, account: other, gas: 1n }),
    ],
    ["an access list", (wallet) => wallet.sendTransaction({ ...payment, accessList: [] })],
    [
      "an authorization",
      (wallet) =>
        wallet.sendTransaction({
          ...payment,
          authorizationList: [{ address: token, chainId: 1, nonce: 0, r: "0x1", s: "0x1", yParity: 0 }],
        }),
    ],
    ["eth_sign", (wallet) => call(wallet, "eth_sign", [account.address, "0x00"])],
    ["wallet_sendTransaction", (wallet) => call(wallet, "wallet_sendTransaction", [payment])],
    ["an unknown method", (wallet) => call(wallet, "wallet_doAnything")],
    ["a method in other letters", (wallet) => call(wallet, "ETH_SENDTRANSACTION", [payment])],
    ["no transaction", (wallet) => call(wallet, "eth_sendTransaction")],
    ["two transactions", (wallet) => call(wallet, "eth_sendTransaction", [{ to: bob }, { to: token }])],
    [
      "two sorts of data",
      (wallet) => call(wallet, "eth_sendTransaction", [{ to: bob, data: "0x", input: "0x00" }]),
    ],
    [
      "another chain's transaction",
      (wallet) => call(wallet, "eth_sendTransaction", [{ to: bob, chainId: "0x1" }]),
    ],
    ["a blob transaction", (wallet) => call(wallet, "eth_sendTransaction", [{ to: bob, type: "0x3" }])],
    ["half a byte", (wallet) => call(wallet, "eth_sendTransaction", [{ to: bob, data: "0x0" }])],
  ];
  test.each(attempts)("rejects %s before it reaches the wallet", async (_, attempt) => {
    const { node, wallet, proposals } = make();
    const { name, message } = await refusalOf(attempt(wallet));
    expect([name, message]).toEqual([
      "NotApprovedError",
      expect.stringMatching(/Not (sent|signed)|is not allowed/),
    ]);
    expect(
      node.methods().filter((method) => !/^eth_(get|chainId|estimate|gasPrice|max)/.test(method)),
    ).toEqual([]);
    expect(proposals).toEqual([]);
  });

  test("rejects a smart account", () => {
    const smart = { address: account.address, type: "smart" } as never;
    const wallet = { ...recordingNode().wallet(), account: smart };
    expect(() => guard(wallet, { countersign: scripted().countersign, words })).toThrow("smart account");
  });

  test("rejects a client without an account", () => {
    const wallet = { ...recordingNode().wallet(), account: undefined } as never;
    expect(() => guard(wallet, { countersign: scripted().countersign, words })).toThrow("no account");
  });
});

describe("fees", () => {
  const raw = (node: ReturnType<typeof recordingNode>) =>
    parseTransaction(
      node.requests.find(({ method }) => method === "eth_sendRawTransaction")?.params?.[0] as Hex,
    );
  const cases = [
    [{ gas: 50_000n, maxFeePerGas: 9n, maxPriorityFeePerGas: 2n, nonce: 3 }, "eip1559"],
    [{ gas: 50_000n, gasPrice: 7n, nonce: 3, type: "legacy" }, "legacy"],
    [{ gasPrice: 7n }, "legacy"],
    [{ type: "eip1559" }, "eip1559"],
    [{}, "eip1559"],
  ] as const;
  test.each(cases)("keeps %o for a local account", async (fees, type) => {
    const node = recordingNode();
    const wallet = guard(node.wallet(), { countersign: scripted().countersign, words });
    await wallet.sendTransaction({ ...payment, ...fees } as never);
    expect(raw(node)).toMatchObject({ ...fees, type, chainId: sepolia.id });
  });

  test("are passed on to a wallet that signs", async () => {
    const node = recordingNode();
    const wallet = guard(node.wallet(account.address), { countersign: scripted().countersign, words });
    await wallet.sendTransaction({ ...payment, gas: 50_000n, gasPrice: 7n, nonce: 3, type: "legacy" });
    expect(node.requests.at(-1)).toEqual({
      method: "eth_sendTransaction",
      params: [
        {
          ...{ from: account.address, to: bob, value: "0x2386f26fc10000", data: "0x", chainId: "0xaa36a7" },
          ...{ gas: "0xc350", gasPrice: "0x7", nonce: "0x3", type: "0x0" },
        },
      ],
    });
  });

  test.each(kinds)("are limited for %s", async (_, of) => {
    const node = recordingNode();
    const { countersign } = scripted();
    const dear = { ...payment, gas: 100_000n, maxFeePerGas: 10n ** 13n, maxPriorityFeePerGas: 10n ** 13n };
    const careful = guard(node.wallet(of), { countersign, words });
    expect((await refusalOf(careful.sendTransaction(dear))).message).toContain("the fee of up to");
    expect(node.sent()).toEqual([]);
    const lavish = guard(node.wallet(of), { countersign, words, maxFee: 10n ** 18n });
    expect(await lavish.sendTransaction(dear)).toBe(transactionHash);
  });

  test("are the only values taken from a node", async () => {
    const lie = {
      raw: "0x",
      tx: {
        ...{ to: token, value: "0xffff", input: "0xdead", chainId: "0x1", nonce: "0x9", gas: "0x5208" },
        ...{ type: "0x2", maxFeePerGas: "0x9", maxPriorityFeePerGas: "0x1", hash: transactionHash },
        authorizationList: [{ address: token, chainId: "0x1", nonce: "0x0" }],
      },
    };
    const node = recordingNode({ eth_fillTransaction: lie });
    const wallet = guard(node.wallet(), { countersign: scripted().countersign, words });
    await wallet.sendTransaction(payment);
    expect(node.sent()).toEqual([
      { to: bob.toLowerCase(), value: payment.value, data: "0x", chainId: sepolia.id },
    ]);
    expect(raw(node)).not.toHaveProperty("authorizationList");
  });

  test("include the nonce of the account's nonce manager", async () => {
    const nonceManager = createNonceManager({ source: jsonRpc() });
    const keeping = { ...account, nonceManager };
    const node = recordingNode();
    const wallet = guard(node.wallet(keeping), { countersign: scripted().countersign, words });
    await wallet.sendTransaction(payment);
    expect(raw(node)).toMatchObject({ nonce: 7 });
  });
});

test("sends only approved transactions, unchanged", async () => {
  const hex = (min: number, max = min) =>
    fc
      .uint8Array({ minLength: min, maxLength: max })
      .map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`);
  const anyTo = fc.constantFrom(bob, token);
  const anyValue = fc.bigInt({ min: 0n, max: 3n });
  const anyData = fc.oneof(fc.constant<Hex>("0x"), hex(0, 3));
  const anyAsked = fc.oneof(
    { arbitrary: fc.anything(), weight: 1 },
    {
      weight: 6,
      arbitrary: fc.record(
        {
          to: anyTo,
          value: anyValue.map((value) => `0x${value.toString(16)}`),
          data: anyData,
          gas: fc.constant("0x5208"),
          from: fc.constantFrom<Hex>(account.address, account.address, bob),
          chainId: fc.constantFrom("0xaa36a7", "0xaa36a7", "0x1"),
          type: fc.constantFrom("0x0", "0x2", "0x4"),
        },
        { requiredKeys: ["to"] },
      ),
    },
  );
  const anyDecision = fc.record({
    status: fc.constantFrom<TransactionView["status"]>(
      "APPROVED",
      "APPROVED",
      "PENDING",
      "REJECTED",
      "FAILED",
      "EXECUTED",
    ),
    tx: fc.option(fc.record({ to: anyTo, value: anyValue.map(String), data: anyData }, { requiredKeys: [] })),
    chainId: fc.constantFrom(11_155_111, 11_155_111, 1),
  });
  await fc.assert(
    fc.asyncProperty(anyAsked, anyDecision, fc.boolean(), async (asked, { status, tx, chainId }, isLocal) => {
      const node = recordingNode();
      let expected: unknown[] = [];
      const { countersign } = scripted({
        decide: (proposal) => {
          const { tx: own } = aView(proposal);
          if (own === null || tx === null) return { status, chainId, tx: null };
          const said = { ...own, ...tx };
          const { to, value, data } = said;
          const isSame = to === own.to && value === own.value && data === own.data;
          // Neither less nor more: a wallet that sends nothing at all would not do either.
          if (status === "APPROVED" && isSame && chainId === sepolia.id)
            expected = [{ to: to.toLowerCase(), value: BigInt(value), data, chainId }];
          return { status, chainId, tx: said };
        },
      });
      const wallet = guard(node.wallet(isLocal ? account : account.address), { countersign, words });
      await wallet
        .request({ method: "eth_sendTransaction", params: [asked] as never })
        .catch(() => undefined);
      expect(node.sent()).toEqual(expected);
    }),
    { numRuns: 400 },
  );
});
