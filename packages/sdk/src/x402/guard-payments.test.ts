import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashTypedData, parseTypedData } from "@countersign/wire";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { UptoEvmScheme } from "@x402/evm/upto/client";
import { createWalletClient, custom, recoverAddress, type LocalAccount } from "viem";
import { mainnet, sepolia } from "viem/chains";
import { describe, expect, test, vi } from "vitest";
import { makeWallet } from "../../test/eip1193/wallet.ts";
import { payee, payment } from "../../test/payment.ts";
import { account, requestHash, scripted, type Script } from "../../test/viem/scripted.ts";
import { findNotApproved, guardPayments, type PaymentOptions } from "./index.ts";

const words = `Pay at most 0.01 USDC to ${payee} within 5 minutes`;
const inSeconds = (seconds: number): bigint => BigInt(Math.floor(Date.now() / 1000) + seconds);
const network = "eip155:11155111" as const;

/** The payment, valid for two minutes. */
const asked = (message: object = {}, over: object = {}) => ({
  ...payment,
  message: { ...payment.message, validBefore: inSeconds(120), ...message },
  ...over,
});

function make(options: Partial<PaymentOptions> = {}, script: Script = {}) {
  const { countersign, proposals, releases } = scripted(script);
  const waitForStatus = vi.fn(countersign.waitForStatus);
  const signTypedData = vi.fn((data: never) => account.signTypedData(data));
  const onRefusal = vi.fn();
  const signer = guardPayments(
    { ...account, signTypedData: signTypedData as unknown as typeof account.signTypedData },
    {
      ...{ countersign: { ...countersign, waitForStatus }, words, networks: [network], onRefusal },
      ...options,
    },
  );
  return { signer, proposals, releases, waitForStatus, signTypedData, onRefusal };
}

type Made = ReturnType<typeof make>;

const refusalOf = async ({ signer, onRefusal, signTypedData, releases }: Made, data: unknown) => {
  const error: unknown = await signer.signTypedData(data as never).catch((thrown: unknown) => thrown);
  expect([signTypedData.mock.calls, releases]).toEqual([[], []]);
  expect(onRefusal.mock.calls).toEqual([[findNotApproved(error)]]);
  return findNotApproved(error)?.message;
};

test("signs an approved payment, and releases exactly that digest", async () => {
  const { signer, proposals, releases } = make();
  const data = asked();
  const hash = hashTypedData(parseTypedData(data));
  const signature = await signer.signTypedData(data);
  expect(await recoverAddress({ hash, signature })).toBe(account.address);
  expect(releases).toEqual([[requestHash, hash]]);
  expect(proposals).toMatchObject([
    { chainId: sepolia.id, escrowAddress: account.address, userPrompt: words },
  ]);
});

test("passes the payment to a function given as words", async () => {
  const seen = vi.fn(() => "Pay it");
  const { signer, proposals } = make({ words: seen });
  const data = asked();
  await signer.signTypedData(data);
  const validBefore = new Date(Number(data.message.validBefore) * 1000);
  const asset = payment.domain.verifyingContract.toLowerCase();
  expect(seen.mock.calls).toEqual([
    [{ network, asset, payTo: payee.toLowerCase(), amount: 10_000n, validBefore }],
  ]);
  expect(proposals[0]?.userPrompt).toBe("Pay it");
});

test("signs nothing that is not approved", async () => {
  const made = make({}, { decide: () => ({ status: "REJECTED", reason: "because" }) });
  expect(await refusalOf(made, asked())).toBe("Not signed: REJECTED. because");
});

describe("refuses before it proposes", () => {
  const outside: [string, () => unknown, RegExp][] = [
    ["another network", () => asked({}, { domain: { ...payment.domain, chainId: 8453 } }), /eip155:8453/],
    ["another payer", () => asked({ from: payee }), /another account/],
    ["a long validity", () => asked({ validBefore: inSeconds(3700) }), /more than 3600 seconds/],
    ["no expiry", () => asked({ validBefore: 2n ** 256n - 1n }), /more than 3600 seconds/],
    ["an expired payment", () => asked({ validBefore: inSeconds(-1) }), /has expired/],
    ["a later payment", () => asked({ validAfter: inSeconds(60) }), /not valid yet/],
    ["no token", () => asked({}, { domain: { chainId: sepolia.id } }), /no token/],
    ["no network", () => asked({}, { domain: { verifyingContract: payee } }), /no network/],
    ["no data", () => undefined, /not a single message/],
    [
      "other members under the same name",
      () => asked({ note: "1" }, { types: { TransferWithAuthorization: withNote } }),
      /only EIP-3009|no type covers|note/,
    ],
  ];
  const withNote = [...payment.types.TransferWithAuthorization, { name: "note", type: "uint256" }];
  test.each(outside)("%s", async (_, data, why) => {
    const made = make();
    expect(await refusalOf(made, data())).toMatch(why);
    expect(made.proposals).toEqual([]);
  });

  test("a validity above the given limit", async () => {
    expect(await refusalOf(make({ maxValiditySeconds: 60 }), asked())).toMatch("more than 60 seconds");
  });
});

describe("every other kind of data that @x402/evm signs is refused", () => {
  const others = [
    ...["ChannelConfig", "ClaimBatch", "Permit", "PermitTransferFrom", "PermitWitnessTransferFrom"],
    ...["ReceiveWithAuthorization", "Refund", "Voucher"],
  ];

  /** If a version of x402 signs another kind of data, this fails until someone looks at it. */
  test("and the list is complete", () => {
    const folder = dirname(fileURLToPath(import.meta.resolve("@x402/evm")));
    const text = readdirSync(folder)
      .filter((name) => name.endsWith(".mjs"))
      .map((name) => readFileSync(join(folder, name), "utf8"));
    const named = [...text.join("\n").matchAll(/primaryType: "(\w+)"/g)].map(([, name = ""]) => name);
    expect([...new Set(named)].sort()).toEqual([...others, "TransferWithAuthorization"].sort());
    const guide = readFileSync(
      new URL("../../../../docs/guides/use-your-library.md", import.meta.url),
      "utf8",
    );
    expect(others.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  });

  test.each(others)("%s", async (primaryType) => {
    const made = make();
    const types = { [primaryType]: payment.types.TransferWithAuthorization };
    expect(await refusalOf(made, asked({}, { primaryType, types }))).toMatch(`not ${primaryType}`);
    expect(made.proposals).toEqual([]);
  });

  const requirements = {
    ...{ scheme: "exact", network, asset: payment.domain.verifyingContract, amount: "10000", payTo: payee },
    ...{ maxTimeoutSeconds: 120 },
    extra: { name: "USDC", version: "2", assetTransferMethod: "permit2", facilitatorAddress: payee },
  } as const;
  test.each([
    ["Permit2 of the exact scheme", ExactEvmScheme],
    ["the upto scheme", UptoEvmScheme],
  ])("as the client asks for it: %s", async (_, Scheme) => {
    const { signer, signTypedData, proposals } = make();
    const paying = new Scheme(signer).createPaymentPayload(2, requirements);
    await expect(paying).rejects.toThrow("only EIP-3009 payments are signed, not PermitWitnessTransferFrom");
    expect([signTypedData.mock.calls, proposals]).toEqual([[], []]);
  });

  test("the signer has no way to sign or send a transaction", () => {
    const { signer } = make();
    expect(Object.keys(signer).sort()).toEqual(["address", "signTypedData"]);
    expect(() => Object.assign(signer, { signTypedData: account.signTypedData })).toThrow(TypeError);
  });
});

describe("time", () => {
  test("waits no longer than the payment is valid", async () => {
    const first = make();
    await first.signer.signTypedData(asked());
    const { timeoutMs = 0 } = first.waitForStatus.mock.calls[0]?.[2] ?? {};
    expect(timeoutMs).toBeGreaterThan(115_000);
    expect(timeoutMs).toBeLessThanOrEqual(120_000);
    const second = make({ timeoutMs: 5000 });
    await second.signer.signTypedData(asked());
    expect(second.waitForStatus.mock.calls[0]?.[2]?.timeoutMs).toBe(5000);
  });

  test("signs nothing that expired before it was approved", async () => {
    const decide = () => {
      vi.useFakeTimers({ now: Date.now() + 121_000, toFake: ["Date"] });
      return {};
    };
    const message = await refusalOf(make({}, { decide }), asked()).finally(() => vi.useRealTimers());
    expect(message).toMatch("expired before it was approved");
  });
});

describe("a wallet client", () => {
  const clientOf = (of: LocalAccount | `0x${string}`, chain = sepolia) => {
    const wallet = makeWallet();
    const client = createWalletClient({ account: of, chain, transport: custom(wallet.provider) });
    return { wallet, client };
  };
  const options = () => ({ countersign: scripted().countersign, words, networks: [network] as const });

  test.each([
    ["with its key", account],
    ["that holds the key elsewhere", account.address],
  ])("%s signs", async (_, of) => {
    const { client } = clientOf(of);
    expect(await guardPayments(client, options()).signTypedData(asked())).toMatch(/^0x/);
  });

  test("on another chain signs nothing", async () => {
    const { client, wallet } = clientOf(account.address, mainnet as never);
    await expect(guardPayments(client, options()).signTypedData(asked())).rejects.toThrow("on chain");
    expect(wallet.did()).toEqual([]);
  });
});
