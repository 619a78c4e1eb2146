import { hashMessage, recoverMessageAddress, stringToHex, toHex, type Hex } from "viem";
import { describe, expect, test, vi } from "vitest";
import { ConflictError } from "../errors.ts";
import { account, recordingNode, requestHash, scripted, type Script } from "../../test/viem/scripted.ts";
import { findNotApproved, guard, type GuardOptions } from "./index.ts";

const message = "I agree to the terms of example.com";
const words = `Sign the message “${message}”`;

type Signing = {
  readonly script?: Script;
  readonly options?: Partial<GuardOptions>;
  readonly of?: Hex;
  readonly text?: Parameters<Guarded["signMessage"]>[0]["message"];
  /** The text that a wallet with its own key signs. */
  readonly signs?: string;
};
type Guarded = ReturnType<typeof guard>;

async function sign({ script = {}, options = {}, of, text = message, signs = message }: Signing = {}) {
  const said = scripted(script);
  const node = recordingNode({ personal_sign: await account.signMessage({ message: signs }) });
  const wallet = guard(node.wallet(of ?? account), {
    ...{ countersign: said.countersign, words, onReview: () => undefined, ...options },
  });
  const result = await wallet.signMessage({ message: text }).then(
    (signature) => ({ signature, error: undefined }),
    (error: unknown) => ({ signature: undefined, error }),
  );
  return { ...said, ...result, refusal: findNotApproved(result.error)?.message, node };
}

describe.each([
  ["a wallet with its key here", undefined],
  ["a wallet that holds the key", account.address],
] as const)("%s", (_, of) => {
  const own = of === undefined ? {} : { of };

  test("signs an approved text, and releases exactly its hash", async () => {
    const { signature, proposals, releases } = await sign(own);
    expect(proposals).toEqual([
      { message, chainId: 11_155_111, escrowAddress: account.address, userPrompt: words },
    ]);
    expect(releases).toEqual([[requestHash, hashMessage(message)]]);
    const signed = signature ?? expect.unreachable("not signed");
    expect(await recoverMessageAddress({ message, signature: signed })).toBe(account.address);
  });

  test.each(["REJECTED", "FAILED", "PENDING", "EXECUTED"] as const)(
    "signs nothing if the status is %s",
    async (status) => {
      const { refusal, releases, node } = await sign({ ...own, script: { decide: () => ({ status }) } });
      expect(refusal).toMatch(/^Not signed: /);
      expect([releases, node.methods()]).toEqual([[], expect.not.arrayContaining(["personal_sign"])]);
    },
  );

  test("hands over nothing if it was released before", async () => {
    const conflict = new ConflictError({ status: 409, message: "released before" } as never);
    const release = () => Promise.reject(conflict);
    expect((await sign({ ...own, script: { release } })).signature).toBeUndefined();
  });

  test.each([
    ["a hash", { raw: `0x${"ff".repeat(32)}` }],
    ["bytes that are no text", { raw: "0xc328" }],
    ["a text that is hex", "0x1234"],
    ["a character that is not shown", { raw: toHex("a\u001b[2Jb") }],
    ["no text", ""],
  ] as const)("does not propose %s", async (__, text) => {
    const { refusal, proposals, node } = await sign({ ...own, text });
    expect(refusal).toMatch(/^Not signed: /);
    expect([proposals, node.methods()]).toEqual([[], expect.not.arrayContaining(["personal_sign"])]);
  });

  test("takes the request of a function for messages", async () => {
    const wordsForMessage = vi.fn(() => "Sign in to example.com");
    const { proposals } = await sign({ ...own, options: { words: () => "other", wordsForMessage } });
    expect(proposals[0]?.userPrompt).toBe("Sign in to example.com");
    expect(wordsForMessage).toHaveBeenCalledExactlyOnceWith(message);
    expect((await sign({ ...own, options: { words: () => "other" } })).refusal).toMatch("wordsForMessage");
  });
});

test("hands over no signature of another text", async () => {
  const { signature, releases } = await sign({ of: account.address, signs: "I owe Mallory everything" });
  expect([signature, releases]).toEqual([undefined, []]);
});

describe("personal_sign", () => {
  const call = async (params: unknown[]) => {
    const { countersign, proposals } = scripted();
    const wallet = guard(recordingNode().wallet(), { countersign, words });
    const error: unknown = await wallet
      .request({ method: "personal_sign", params } as never)
      .catch((thrown: unknown) => thrown);
    return [findNotApproved(error)?.message ?? error, proposals.length];
  };
  const data = stringToHex(message);

  test.each([
    ["of another account", [data, `0x${"b0".repeat(20)}`]],
    ["with the account first", [account.address, data]],
    ["without an account", [data]],
    ["of a text that is not hex", [message, account.address]],
    ["with a password", [data, account.address, "secret"]],
    ["of nothing", []],
  ])("%s is refused before it is proposed", async (_, params) => {
    expect(await call(params)).toEqual([expect.stringMatching(/^Not signed: /), 0]);
  });
});
