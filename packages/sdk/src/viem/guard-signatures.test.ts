import { hashShapedProposal, hashTypedData, parseTypedData } from "@countersign/wire";
import { recoverTypedDataAddress, type Hex } from "viem";
import { sepolia } from "viem/chains";
import { describe, expect, test, vi } from "vitest";
import { ConflictError, WaitTimeoutError } from "../errors.ts";
import type { Receipt, TransactionView } from "../types.ts";
import { makeReceipt, makeShapedReceipt, terms, trust } from "../../test/receipt.ts";
import { account, recordingNode, requestHash, scripted, type Script } from "../../test/viem/scripted.ts";
import { findNotApproved, guard, type GuardOptions } from "./index.ts";

const payee = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e" as const;
const words = `Pay 0.01 USDC to ${payee}`;
const payment = {
  domain: {
    ...{ name: "USDC", version: "2", chainId: sepolia.id },
    verifyingContract: "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238",
  },
  types: {
    TransferWithAuthorization: [
      { name: "from", type: "address" },
      { name: "to", type: "address" },
      { name: "value", type: "uint256" },
      { name: "validAfter", type: "uint256" },
      { name: "validBefore", type: "uint256" },
      { name: "nonce", type: "bytes32" },
    ],
  },
  primaryType: "TransferWithAuthorization",
  message: {
    ...{ from: account.address, to: payee, value: 10_000n, validAfter: 0n, validBefore: 1_900_000_000n },
    nonce: `0x${"5a".repeat(32)}`,
  },
} as const;
const written = parseTypedData(payment);
const signingHash = hashTypedData(written);

type Signing = { readonly script?: Script; readonly options?: Partial<GuardOptions>; readonly of?: Hex };

/** A wallet that keeps its key signs what it is asked to. */
const signsItself = { eth_signTypedData_v4: "" as unknown };

async function sign({ script = {}, options = {}, of }: Signing = {}) {
  const said = scripted(script);
  const own = await account.signTypedData(payment);
  const node = recordingNode({ ...signsItself, eth_signTypedData_v4: own });
  const wallet = guard(node.wallet(of ?? account), {
    ...{ countersign: said.countersign, words, onReview: () => undefined, ...options },
  });
  const result = await wallet.signTypedData(payment).then(
    (signature) => ({ signature, error: undefined }),
    (error: unknown) => ({ signature: undefined, error }),
  );
  const refusal = findNotApproved(result.error)?.message;
  return { ...said, ...result, refusal, node };
}

describe.each([
  ["a wallet with its key here", undefined],
  ["a wallet that holds the key", account.address],
] as const)("%s", (_, of) => {
  const own = of === undefined ? {} : { of };

  test("signs approved typed data, and releases exactly that digest", async () => {
    const { signature, proposals, releases } = await sign(own);
    expect(proposals).toEqual([
      { typedData: written, chainId: sepolia.id, escrowAddress: account.address, userPrompt: words },
    ]);
    expect(releases).toEqual([[requestHash, signingHash]]);
    const signed = signature ?? expect.unreachable("not signed");
    expect(await recoverTypedDataAddress({ ...payment, signature: signed })).toBe(account.address);
  });

  test.each(["REJECTED", "FAILED", "PENDING", "EXECUTED"] as const)(
    "signs nothing if the status is %s",
    async (status) => {
      const { signature, refusal, releases, node } = await sign({
        ...own,
        script: { decide: () => ({ status }) },
      });
      expect(refusal).toMatch(/^Not signed: /);
      expect([signature, releases]).toEqual([undefined, []]);
      expect(node.methods()).not.toContain("eth_signTypedData_v4");
    },
  );

  const others: [string, Partial<TransactionView>][] = [
    ["digest", { signingHash: `0x${"00".repeat(32)}` }],
    ["shape", { shape: "tx" }],
    ["shape, which is unknown", { shape: null, signingHash: null }],
    ["chain", { chainId: 1 }],
    ["account", { escrowAddress: payee }],
    ["proposal", { requestHash: `0x${"00".repeat(32)}` }],
  ];
  test.each(others)("signs nothing if the approved %s differs", async (__, over) => {
    const { refusal, releases } = await sign({ ...own, script: { decide: () => over } });
    expect(refusal).toBe("Not signed: the approved transaction differs from the requested one");
    expect(releases).toEqual([]);
  });

  test("hands no signature over that was released before", async () => {
    const release = () =>
      Promise.reject(new ConflictError({ status: 409, message: "released before" } as never));
    const { signature, refusal } = await sign({ ...own, script: { release } });
    expect([signature, refusal]).toEqual([undefined, "Not signed: released before"]);
  });

  test("signs nothing if the service says that it was released, has no digest, or rejects without a reason", async () => {
    const refusalFor = async (over: Partial<TransactionView>) =>
      (await sign({ ...own, script: { decide: () => over } })).refusal;
    expect(await refusalFor({ status: "EXECUTED", executor: "service" })).toBe(
      "Not signed: the signature was already released",
    );
    expect(await refusalFor({ signingHash: null })).toBe(
      "Not signed: the approved transaction differs from the requested one",
    );
    const approvals = { user: [], orion: [], apiKey: [] };
    expect(await refusalFor({ status: "REJECTED", reason: null, approvals })).toBe("Not signed: REJECTED");
  });

  test("hands no signature over if the release is uncertain", async () => {
    const release = () => Promise.reject(new Error("connection lost"));
    const { signature, error } = await sign({ ...own, script: { release } });
    expect(signature).toBeUndefined();
    expect(String(error)).toContain("connection lost");
  });
});

test("rejects a signature of another digest by the wallet", async () => {
  const other = await account.signTypedData({ ...payment, message: { ...payment.message, value: 1n } });
  const node = recordingNode({ eth_signTypedData_v4: other });
  const { countersign, releases } = scripted();
  const wallet = guard(node.wallet(account.address), { countersign, words, onReview: () => undefined });
  await expect(wallet.signTypedData(payment)).rejects.toThrow("did not sign the approved digest");
  expect(releases).toEqual([]);
});

test("needs the request for data to sign if the request is a function of a call", async () => {
  const { refusal } = await sign({ options: { words: () => words } });
  expect(refusal).toMatch("needs wordsToSign");
  const wordsToSign = ({ primaryType }: { readonly primaryType: string }) => `Sign ${primaryType}`;
  const { proposals } = await sign({ options: { words: () => words, wordsToSign } });
  expect(proposals[0]?.userPrompt).toBe("Sign TransferWithAuthorization");
});

describe("with trust", () => {
  const soon = Math.floor(Date.now() / 1000) + 600;
  const fields = {
    ...terms,
    ...{ escrow: account.address, chainId: sepolia.id, deadline: soon, userPrompt: words },
    payload: { shape: "typedData", typedData: written },
  } as const;
  const signWith = async (made: Parameters<typeof makeShapedReceipt>[0]) => {
    const receipt: Receipt = await makeShapedReceipt(made);
    const hash = hashShapedProposal(
      { chainId: trust.chainId, inbox: trust.inbox },
      { ...fields, ...made.over },
    );
    const script: Script = {
      ...{ proposed: { requestHash: hash }, decide: () => ({ requestHash: hash }) },
      receipt: async () => receipt,
    };
    return sign({ script, options: { trust } });
  };

  test("signs with a signed verdict of version 2 about exactly this digest", async () => {
    const { signature, refusal } = await signWith({ over: fields });
    expect(refusal).toBeUndefined();
    expect(signature).toMatch(/^0x/);
  });

  test("signs nothing with a verdict of version 1, which is about a transaction", async () => {
    const { escrow, chainId, deadline, userPrompt } = fields;
    const receipt = await makeReceipt({
      over: { ...{ escrow, chainId, deadline, userPrompt }, to: payee, value: 0n, data: "0x" },
    });
    const hash = { requestHash: receipt.requestHash };
    const script: Script = { proposed: hash, decide: () => hash, receipt: async () => receipt };
    const { refusal, releases } = await sign({ script, options: { trust } });
    expect(refusal).toMatch("belongs to another transaction");
    expect(releases).toEqual([]);
  });

  const changed = (message: object) => ({
    payload: {
      shape: "typedData",
      typedData: parseTypedData({ ...payment, message: { ...payment.message, ...message } }),
    } as const,
  });
  test.each([
    ["another price", changed({ value: 10_001n })],
    ["another payee", changed({ to: account.address })],
    ["another deadline", changed({ validBefore: 1_900_000_001n })],
    ["another request", { userPrompt: "Pay 100 USDC" }],
    ["another chain", { chainId: 1 }],
  ])("signs nothing with a verdict about %s", async (_, over) => {
    const { refusal, releases } = await signWith({ over: { ...fields, ...over } });
    expect(refusal).toMatch("belongs to another transaction");
    expect(releases).toEqual([]);
  });
});

describe("a guard that waits", () => {
  const reviewUrl = "https://app.example/transactions/0xab";

  test("names the page where the owner decides, once", async () => {
    const onReview = vi.fn();
    await sign({ script: { proposed: { reviewUrl } }, options: { onReview } });
    expect(onReview.mock.calls).toEqual([[reviewUrl]]);
  });

  test("prints one line by default", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
    const { countersign } = scripted({ proposed: { reviewUrl } });
    await guard(recordingNode().wallet(), { countersign, words }).sendTransaction({ to: payee, value: 1n });
    expect(warn.mock.calls).toEqual([[expect.stringContaining(reviewUrl)]]);
    warn.mockRestore();
  });

  test.each([
    [1, 3_600_000],
    [2, undefined],
  ])("waits as long as the account's mode %d needs", async (execution, timeoutMs) => {
    const { countersign } = scripted({ proposed: { execution } });
    const waitForStatus = vi.fn(countersign.waitForStatus);
    const wallet = guard(recordingNode().wallet(), { countersign: { ...countersign, waitForStatus }, words });
    await wallet.sendTransaction({ to: payee, value: 1n });
    expect(waitForStatus.mock.calls[0]?.[2]?.timeoutMs).toBe(timeoutMs);
  });

  test("says what to do when the time is up", async () => {
    const { countersign } = scripted({ proposed: { reviewUrl } });
    const wallet = guard(recordingNode().wallet(), {
      ...{ words, onReview: () => undefined },
      countersign: {
        ...countersign,
        waitForStatus: () => Promise.reject(new WaitTimeoutError("0xab is still AWAITING after 600 s")),
      },
    });
    await expect(wallet.signTypedData(payment)).rejects.toThrow(
      `Not signed: 0xab is still AWAITING after 600 s. It stays open at ${reviewUrl}, but approving it now has no effect. Try again with a longer timeoutMs`,
    );
  });
});
