import { readFileSync } from "node:fs";
import { hashPayload, hashTypedData, parseCalls, parseTypedData } from "@countersign/wire";
import { numberToHex, parseEther, recoverAddress, type Hex } from "viem";
import { describe, expect, test, vi } from "vitest";
import { account, requestHash, scripted, transactionHash, type Script } from "../../test/viem/scripted.ts";
import { makeWallet } from "../../test/eip1193/wallet.ts";
import { payee, writtenPayment as payment } from "../../test/payment.ts";
import { reads } from "../guard/reads.ts";
import { refusedMethods } from "../guard/refused-methods.ts";
import { guardProvider, isNotApproved, type GuardOptions, type NotApprovedError } from "./index.ts";

const words = `Send 0.01 ETH to ${payee}`;
const send = { from: account.address, to: payee, value: numberToHex(parseEther("0.01")) } as const;

type Case = {
  readonly script?: Script;
  readonly over?: Readonly<Record<string, unknown>>;
  readonly options?: Partial<GuardOptions>;
};

function make({ script = {}, over = {}, options = {} }: Case = {}) {
  const wallet = makeWallet(over);
  const { countersign, proposals, releases } = scripted(script);
  const provider = guardProvider(wallet.provider, { countersign, words, ...options });
  const ask = (method: string, params?: unknown): Promise<unknown> =>
    provider.request({ method, params } as never);
  return { wallet, provider, ask, proposals, releases };
}

/** Returns the refusal of a guarded provider. */
const refusalOf = async (action: Promise<unknown>): Promise<NotApprovedError & { code: number }> => {
  const error: unknown = await action.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isNotApproved(error)) throw new Error(`not a refusal: ${String(error)}`);
  return error as NotApprovedError & { code: number };
};

describe("eth_sendTransaction", () => {
  test("proposes the transaction with the request and sends exactly that", async () => {
    const { ask, wallet, proposals } = make();
    expect(await ask("eth_sendTransaction", [{ ...send, gas: "0x5208" }])).toBe(transactionHash);
    expect(proposals).toEqual([
      {
        tx: { to: payee, value: parseEther("0.01"), data: "0x" },
        ...{ chainId: 11_155_111, escrowAddress: account.address, userPrompt: words },
      },
    ]);
    const written = { ...send, data: "0x", chainId: "0xaa36a7", gas: "0x5208" };
    expect(wallet.asked.at(-1)).toEqual({ method: "eth_sendTransaction", params: [written] });
    expect(wallet.did()).toEqual(["eth_sendTransaction"]);
  });

  test("uses the first account if the request names none", async () => {
    const { ask, proposals } = make();
    await ask("eth_sendTransaction", [{ to: payee, value: "0x1" }]);
    expect(proposals[0]?.escrowAddress).toBe(account.address);
    const none = make({ over: { eth_accounts: [] } });
    await expect(none.ask("eth_sendTransaction", [{ to: payee }])).rejects.toThrow(
      "eth_requestAccounts first",
    );
  });

  test("sends nothing that is not approved, and says so with code 4001", async () => {
    const { ask, wallet } = make({ script: { decide: () => ({ status: "REJECTED", reason: "because" }) } });
    const { code, message } = await refusalOf(ask("eth_sendTransaction", [send]));
    expect([code, message]).toEqual([4001, "Not sent: REJECTED. because"]);
    expect(wallet.did()).toEqual([]);
  });

  test.each([
    ["no code", {}, undefined],
    ["a code of the service", { code: "internal" }, "internal"],
  ])("an error with %s gets a number, so that libraries do not propose again", async (_, more, original) => {
    const decide = (): never => {
      throw Object.assign(new Error("no answer"), more);
    };
    const { ask, proposals } = make({ script: { decide } });
    const error: unknown = await ask("eth_sendTransaction", [send]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: -32_003, message: "no answer" });
    expect((error as { cause?: { code?: unknown } }).cause?.code).toBe(original);
    expect(proposals).toHaveLength(1);
  });

  test("sends nothing if the wallet has switched to another chain meanwhile", async () => {
    const over = { eth_chainId: "0xaa36a7" };
    const wallet = makeWallet(over);
    const { countersign } = scripted({
      decide: () => {
        vi.spyOn(wallet.provider, "request").mockImplementation(async ({ method }) => {
          if (method === "eth_chainId") return "0x1";
          throw new Error(`asked ${method}`);
        });
        return {};
      },
    });
    const provider = guardProvider(wallet.provider, { countersign, words });
    const { message } = await refusalOf(
      provider.request({ method: "eth_sendTransaction", params: [send] } as never),
    );
    expect(message).toBe("Not sent: the wallet is on chain 1");
    expect(wallet.did()).toEqual([]);
  });

  test.each([
    ["a fee above the limit", { gas: "0xffffff", gasPrice: "0xffffffffff" }],
    ["another chain", { chainId: "0x1" }],
    ["an access list", { accessList: [] }],
    ["an authorization", { authorizationList: [] }],
    ["a sender that is no address", { from: "me" }],
  ])("refuses %s", async (_, change) => {
    const { ask, wallet } = make();
    expect((await refusalOf(ask("eth_sendTransaction", [{ ...send, ...change }]))).code).toBe(4001);
    expect(wallet.did()).toEqual([]);
  });

  test("is not affected by later changes of the request object", async () => {
    const { ask, wallet } = make();
    const asked = { ...send, to: payee as string };
    const sending = ask("eth_sendTransaction", [asked]);
    asked.to = account.address;
    await sending;
    expect(wallet.asked.at(-1)?.params).toMatchObject([{ to: payee }]);
  });

  test("passes on an error of the wallet and the service", async () => {
    const { ask } = make({ over: { eth_sendTransaction: new Error("locked") } });
    await expect(ask("eth_sendTransaction", [send])).rejects.toThrow(
      "Approved, but the wallet did not send it: locked",
    );
    const odd = make({ over: { eth_sendTransaction: { hash: 1 } } });
    await expect(odd.ask("eth_sendTransaction", [send])).rejects.toThrow("its answer is not hex");
    const lost = make({ over: { eth_chainId: null } });
    await expect(lost.ask("eth_sendTransaction", [send])).rejects.toThrow("did not return its chain");
  });
});

describe("eth_signTypedData_v4", () => {
  const signingHash = hashTypedData(parseTypedData(payment));

  test.each([
    ["as an object", payment],
    ["as JSON", JSON.stringify(payment)],
  ])("signs approved data given %s, and releases exactly that digest", async (_, data) => {
    const { ask, wallet, releases } = make();
    const signature = (await ask("eth_signTypedData_v4", [account.address, data])) as Hex;
    expect(await recoverAddress({ hash: signingHash, signature })).toBe(account.address);
    expect(releases).toEqual([[requestHash, signingHash]]);
    expect(wallet.did()).toEqual(["eth_signTypedData_v4"]);
  });

  test("signs nothing that is not approved", async () => {
    const { ask, wallet } = make({ script: { decide: () => ({ status: "REJECTED" }) } });
    const { code } = await refusalOf(ask("eth_signTypedData_v4", [account.address, payment]));
    expect([code, wallet.did()]).toEqual([4001, []]);
  });

  test("hands over no signature of another digest", async () => {
    const other = await account.signMessage({ message: "something else" });
    const { ask, releases } = make({ over: { eth_signTypedData_v4: other } });
    await expect(ask("eth_signTypedData_v4", [account.address, payment])).rejects.toThrow(
      "did not sign the approved digest",
    );
    expect(releases).toEqual([]);
  });

  test.each([
    ["another chain", [account.address, { ...payment, domain: { chainId: 1 } }]],
    ["a signer that is no address", ["me", payment]],
    ["the parameters of an older version", [payment, account.address]],
    ["two messages", [account.address, payment, payment]],
  ])("refuses %s", async (_, params) => {
    const { ask, wallet } = make();
    await refusalOf(ask("eth_signTypedData_v4", params));
    expect(wallet.did()).toEqual([]);
  });
});

describe("wallet_sendCalls", () => {
  const calls = {
    ...{ version: "2.0.0", chainId: "0xaa36a7", atomicRequired: true, calls: [{ to: payee, value: "0x5" }] },
  };
  const exact = parseCalls({ ...calls, from: account.address });

  test("sends the approved batch from the wallet's account, and releases its hash", async () => {
    const { ask, wallet, proposals, releases } = make({ over: { wallet_sendCalls: { id: "0x0b" } } });
    expect(await ask("wallet_sendCalls", [calls])).toEqual({ id: "0x0b" });
    expect(proposals).toMatchObject([{ calls: exact }]);
    expect(releases).toEqual([[requestHash, hashPayload({ shape: "calls", calls: exact })]]);
    expect(wallet.did()).toEqual(["wallet_sendCalls"]);
  });

  test("sends nothing that is not approved", async () => {
    const { ask, wallet } = make({ script: { decide: () => ({ status: "REJECTED" }) } });
    const { code } = await refusalOf(ask("wallet_sendCalls", [calls]));
    expect([code, wallet.did()]).toEqual([4001, []]);
  });

  test.each([
    ["another chain", { chainId: "0x1" }],
    ["capabilities", { capabilities: { auxiliaryFunds: {} } }],
    ["no list", { calls: undefined }],
  ])("refuses %s", async (_, change) => {
    const { ask, wallet, proposals } = make();
    await refusalOf(ask("wallet_sendCalls", [{ ...calls, ...change }]));
    expect([wallet.did(), proposals]).toEqual([[], []]);
  });
});

/** Written here again, so that a method that is dropped from the list of the guard shows. */
const signing = [
  ...["eth_sign", "eth_signTransaction", "eth_signTypedData", "eth_signTypedData_v1", "eth_signTypedData_v3"],
  ...["eth_signUserOperation", "eth_signAuthorization", "wallet_signAuthorization", "wallet_signMessage"],
  ...["personal_signTransaction", "personal_signTypedData", "wallet_sign"],
  ...["eth_sendRawTransaction", "eth_sendRawTransactionSync", "eth_sendRawTransactionConditional"],
  ...["eth_sendTransactionSync", "eth_sendPrivateTransaction", "eth_sendBundle", "eth_sendUserOperation"],
  ...["personal_sendTransaction", "wallet_sendTransaction", "wallet_swapAsset"],
  ...["wallet_prepareCalls", "wallet_sendPreparedCalls", "wallet_grantPermissions", "wallet_invokeMethod"],
  ...["wallet_requestPermissions", "wallet_requestExecutionPermissions", "wallet_createSession"],
  ...["wallet_revokePermissions", "wallet_revokeExecutionPermission", "wallet_connect"],
  ...[
    "wallet_addEthereumChain",
    "wallet_switchEthereumChain",
    "wallet_addSubAccount",
    "wallet_upgradeAccount",
  ],
  ...["wallet_importRawKey", "wallet_watchAsset", "personal_unlockAccount"],
  ...["eth_decrypt", "eth_getEncryptionPublicKey"],
];

describe("every other method that signs, sends or changes authority", () => {
  test("is in the list of the guard and in the guide", () => {
    expect(Object.keys(refusedMethods).sort()).toEqual([...signing].sort());
    const guide = readFileSync(
      new URL("../../../../docs/guides/use-your-library.md", import.meta.url),
      "utf8",
    );
    expect(signing.filter((method) => !guide.includes(`\`${method}\``))).toEqual([]);
  });

  test.each(signing)("%s is refused before it reaches the wallet, and says what to do", async (method) => {
    const { ask, wallet, proposals } = make();
    const { code, message } = await refusalOf(ask(method, [account.address, send]));
    expect([code, message]).toEqual([4200, expect.stringMatching(`^${method} is not allowed: .*Instead, `)]);
    expect([wallet.asked, proposals]).toEqual([[], []]);
  });

  test.each([
    ["wallet_doAnything", "eth_newMethod", "web3_sha4", "", "__proto__", "constructor", "toString"],
    [
      "ETH_SENDTRANSACTION",
      "eth_SendTransaction",
      " eth_call",
      "eth_call ",
      "eth_subscribe",
      "debug_traceCall",
    ],
    ["anvil_setBalance", "evm_mine", "hardhat_impersonateAccount", "miner_start", "admin_addPeer"],
  ])("unknown methods are refused: %s, …", async (...methods) => {
    const { ask, wallet } = make();
    for (const method of methods) expect((await refusalOf(ask(method, []))).code).toBe(4200);
    for (const method of [undefined, null, 5, ["eth_call"], {}])
      expect((await refusalOf(ask(method as never, []))).code).toBe(4200);
    expect(wallet.asked).toEqual([]);
  });
});

test.each([...reads, "eth_accounts", "eth_requestAccounts"])("%s passes", async (method) => {
  const answer = { of: method };
  const { ask, wallet } = make({ over: { [method]: answer } });
  expect(await ask(method, [1])).toBe(answer);
  expect(wallet.asked.map((asked) => asked.method)).toEqual([method]);
});

describe("events", () => {
  type Emitter = Record<"on" | "removeListener", (event: string, listener: () => void) => unknown>;
  test("pass until the listener is removed", () => {
    const { provider, wallet } = make();
    const heard = vi.fn();
    provider.on("chainChanged", heard);
    wallet.provider.emit("chainChanged", "0x1");
    provider.removeListener("chainChanged", heard);
    wallet.provider.emit("chainChanged", "0x2");
    expect(heard.mock.calls).toEqual([["0x1"]]);
    expect(wallet.provider.listenerCount("chainChanged")).toBe(0);
  });

  test("give a listener no way to the wallet", () => {
    const { provider, wallet } = make();
    const seen: unknown[] = [];
    const { on, removeListener } = provider as unknown as Emitter;
    const returned = on("connect", function (this: unknown) {
      seen.push(this);
    });
    wallet.provider.emit("connect", {});
    expect(seen).toEqual([undefined]);
    expect(returned).toBe(provider);
    expect(removeListener("connect", () => undefined)).toBe(provider);
  });

  test("are optional", () => {
    const { countersign } = scripted();
    const { request } = makeWallet().provider;
    const provider = guardProvider({ request }, { countersign, words });
    const { on } = provider as unknown as Emitter;
    expect(on("connect", () => undefined)).toBe(provider);
  });
});

test("has three members, none of which is the wallet's, and cannot be changed", () => {
  const { provider, wallet } = make();
  expect(Object.keys(provider).sort()).toEqual(["on", "removeListener", "request"]);
  expect(Object.getPrototypeOf(provider)).toBe(Object.prototype);
  expect(Object.values(provider)).not.toContain(wallet.provider.request);
  expect(() => Object.assign(provider, { request: wallet.provider.request })).toThrow(TypeError);
});
