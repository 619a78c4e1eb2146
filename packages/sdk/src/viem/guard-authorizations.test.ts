import { hashAuthorization, recoverAuthorizationAddress } from "viem/utils";
import { privateKeyToAccount, generatePrivateKey, toAccount } from "viem/accounts";
import { describe, expect, test, vi } from "vitest";
import { account, recordingNode, requestHash, scripted, type Script } from "../../test/viem/scripted.ts";
import { ConflictError } from "../errors.ts";
import { findNotApproved, guard, type GuardOptions } from "./index.ts";

const delegate = "0x63c0c19a282a1b52b07dd5a65b58948a07dae32b";
const words = `Delegate my account code to ${delegate}`;
const chainId = 11_155_111;
/** The node's. */
const next = 7;

type Signing = {
  readonly script?: Script;
  readonly options?: Partial<GuardOptions>;
  readonly of?: Parameters<ReturnType<typeof recordingNode>["wallet"]>[0];
  readonly given?: object;
};

async function sign({ script = {}, options = {}, of = account, given = {} }: Signing = {}) {
  const said = scripted(script);
  const node = recordingNode();
  const wallet = guard(node.wallet(of), {
    ...{ countersign: said.countersign, words, onReview: () => undefined, ...options },
  });
  const result = await wallet.signAuthorization({ contractAddress: delegate, ...given }).then(
    (signed) => ({ signed, error: undefined }),
    (error: unknown) => ({ signed: undefined, error }),
  );
  return { ...said, ...result, refusal: findNotApproved(result.error)?.message };
}

describe("an authorization", () => {
  test("is proposed with its chain and nonce, and released by exactly its hash", async () => {
    const { signed = expect.unreachable("not signed"), proposals, releases } = await sign();
    const tuple = { chainId, address: delegate, nonce: next } as const;
    expect(proposals).toEqual([
      {
        authorizationList: [{ ...tuple, nonce: String(next) }],
        ...{ chainId, escrowAddress: account.address, userPrompt: words },
      },
    ]);
    expect(releases).toEqual([[requestHash, hashAuthorization(tuple)]]);
    expect(signed).toMatchObject(tuple);
    expect(await recoverAuthorizationAddress({ authorization: signed })).toBe(account.address);
  });

  test("may be for a transaction that the account sends itself", async () => {
    const { signed } = await sign({ given: { executor: "self" } });
    expect(signed?.nonce).toBe(next + 1);
  });

  test.each(["REJECTED", "FAILED", "PENDING", "EXECUTED"] as const)(
    "is not signed if the status is %s",
    async (status) => {
      const { refusal, releases } = await sign({ script: { decide: () => ({ status }) } });
      expect(refusal).toMatch(/^Not signed: /);
      expect(releases).toEqual([]);
    },
  );

  test("is not handed over if it was released before", async () => {
    const conflict = new ConflictError({ status: 409, message: "released before" } as never);
    const { signed, refusal } = await sign({ script: { release: () => Promise.reject(conflict) } });
    expect([signed, refusal]).toEqual([undefined, "Not signed: released before"]);
  });

  test.each([
    ["for every chain", { chainId: 0 }, /0 would be valid on every chain/],
    ["for another chain than the wallet's", { chainId: 1 }, /the wallet is on chain 11155111/],
    ["with a used nonce", { nonce: next - 1 }, /nonce 6 is not the account's next one, 7/],
    ["with a nonce further ahead", { nonce: next + 2 }, /nonce 9 is not the account's next one, 7/],
    ["with a malformed delegate", { contractAddress: "0x63" }, /address must be 20 bytes/],
    ["for another account", { account: delegate }, /its signer is another wallet/],
  ] as const)("is not proposed %s", async (_, given, why) => {
    const { refusal, proposals } = await sign({ given });
    expect(refusal).toMatch(why);
    expect(proposals).toEqual([]);
  });

  test.each([
    ["a wallet that holds the key", account.address],
    ["an account that signs none", toAccount({ ...account, signAuthorization: undefined } as never)],
  ] as const)("is not signed by %s", async (_, of) => {
    const { refusal, proposals } = await sign({ of });
    expect([refusal, proposals]).toEqual(["Not signed: this wallet signs no authorizations", []]);
  });

  test("is not handed over if another key signed it, or another delegate was signed", async () => {
    const other = privateKeyToAccount(generatePrivateKey());
    const signers = [
      { ...account, signAuthorization: other.signAuthorization },
      {
        ...account,
        signAuthorization: () =>
          account.signAuthorization({ chainId, address: account.address, nonce: next }),
      },
    ];
    for (const of of signers) {
      const { signed, error, releases } = await sign({ of });
      expect(String(error)).toMatch("did not sign the approved digest");
      expect([signed, releases]).toEqual([undefined, []]);
    }
  });

  test("takes the request of a function for authorizations", async () => {
    const wordsForAuthorization = vi.fn(() => "Delegate my account");
    const { proposals } = await sign({ options: { words: () => "other", wordsForAuthorization } });
    expect(proposals[0]?.userPrompt).toBe("Delegate my account");
    expect(wordsForAuthorization).toHaveBeenCalledExactlyOnceWith({
      ...{ chainId, address: delegate, nonce: String(next) },
    });
    expect((await sign({ options: { words: () => "other" } })).refusal).toMatch("wordsForAuthorization");
  });

  test("is refused inside a transaction", async () => {
    const { signed = expect.unreachable("not signed") } = await sign();
    const { countersign, proposals } = scripted();
    const wallet = guard(recordingNode().wallet(), { countersign, words });
    const error: unknown = await wallet
      .sendTransaction({ to: account.address, authorizationList: [signed] } as never)
      .catch((thrown: unknown) => thrown);
    expect(findNotApproved(error)?.message, String(error)).toMatch(/^Not sent: /);
    expect(proposals).toEqual([]);
  });
});
