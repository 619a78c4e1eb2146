import { describe, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { parseAuthorizationList, parseSafeTransaction } from "@countersign/wire";
import { aUserOperation } from "../../test/user-operations.ts";
import type { WholeContent } from "@countersign/wire/envelope";
import { Unavailable } from "../adapters/http/index.ts";
import { aBatch, aContent, anAddress, aSignature } from "../../test/proposals.ts";
import { nothingBound } from "./bound.ts";
import type { Privacy } from "./examine.ts";
import { stateOf, type StateParts } from "./state.ts";

const state = { state: { version: 1 }, secondEngine: { result: "agree" } };
const token = anAddress();
const payment = (primaryType: string) => ({
  domain: { name: "USD Coin", version: "2", chainId: 1, verifyingContract: token },
  types: {
    [primaryType]: [
      { name: "from", type: "address" },
      { name: "to", type: "address" },
      { name: "value", type: "uint256" },
    ],
  },
  ...{ primaryType, message: { from: aContent().escrow, to: anAddress(), value: "5" } },
});

async function ask(
  given: Partial<StateParts> = {},
  privacy: Privacy = "for the owner",
  content: WholeContent = aContent(),
) {
  const lines: string[] = [];
  const calls: object[] = [];
  const found = await stateOf(
    {
      simulator: {
        capture: async (call) => {
          calls.push(call);
          return state;
        },
      },
      simulatesSealed: false,
      log: makeLog({ app: "test", level: "debug", to: { write: (line) => void lines.push(line) } }),
      ...given,
    },
    { kind: "sound", content, bound: nothingBound, privacy },
  );
  return { found, calls, lines: lines.join("") };
}

describe("the state of a proposal", () => {
  test("is captured for the account and the call", async () => {
    const content = aContent();
    const { found, calls } = await ask({}, "for the owner", content);
    expect(found).toBe(state);
    const { chainId, escrow: from, to, value, data } = content;
    expect(calls).toEqual([{ chainId, from, calls: [{ to, value, data }], names: [] }]);
  });

  test("is captured for all calls of a batch", async () => {
    const content = aBatch([
      { to: anAddress(), value: "5" },
      { to: anAddress(), data: "0x1234" },
    ]);
    const { found, calls } = await ask({}, "for the owner", content);
    expect(found).toBe(state);
    expect(calls).toMatchObject([{ from: content.escrow, calls: content.calls.calls }]);
  });

  const { chainId, escrow, executionType, deadline, salt, userPrompt } = aContent();
  const terms = { version: 2, chainId, escrow, executionType, deadline, salt, userPrompt } as const;

  test("is captured for the call of a Safe", async () => {
    const safeTransaction = parseSafeTransaction({ chainId, safe: anAddress(), to: anAddress(), nonce: 3 });
    const { calls } = await ask({}, "for the owner", { ...terms, shape: "safeTransaction", safeTransaction });
    const { safe, to } = safeTransaction;
    expect(calls).toMatchObject([{ from: safe, signer: escrow, calls: [{ to, value: "0", data: "0x" }] }]);
  });

  test("is not captured for a message", async () => {
    const { found, calls } = await ask({}, "for the owner", {
      ...terms,
      shape: "message",
      message: "I agree",
    });
    expect([found, calls]).toEqual([undefined, []]);
  });

  test("is not captured for an authorization, which moves nothing when it is used", async () => {
    const authorizationList = parseAuthorizationList([{ chainId, address: anAddress(), nonce: 3 }]);
    const { found, calls } = await ask({}, "for the owner", {
      ...terms,
      shape: "authorizationList",
      authorizationList,
    });
    expect([found, calls]).toEqual([undefined, []]);
  });

  test("is not captured for a user operation, whose account runs its own code", async () => {
    const { found, calls } = await ask({}, "for the owner", {
      ...terms,
      shape: "userOperation",
      userOperation: aUserOperation({ chainId }),
    });
    expect([found, calls]).toEqual([undefined, []]);
  });

  test("is captured for what a signature allows, which others send", async () => {
    const content = aSignature(payment("TransferWithAuthorization"));
    const { found, calls } = await ask({}, "for the owner", content);
    expect(found).toBe(state);
    const { escrow } = content;
    expect(calls).toMatchObject([{ from: escrow, signer: escrow, calls: [{ to: token, value: "0" }] }]);
  });

  test("is not captured for an order, whose result depends on who takes it", async () => {
    const content = aSignature(payment("Order"));
    expect(await ask({}, "for the owner", content)).toMatchObject({ found: undefined, calls: [], lines: "" });
  });

  test("resolves the names in the request", async () => {
    const content = aContent({ userPrompt: "Send 5 USDC to Bob.eth" });
    const { calls } = await ask({}, "for the owner", content);
    expect(calls).toMatchObject([{ names: ["bob.eth"] }]);
  });

  test("is absent without a simulator", async () => {
    expect(await ask({ simulator: undefined })).toMatchObject({ found: undefined, lines: "" });
  });

  test("is absent if the simulator has none, and the log names the reason and nothing of the proposal", async () => {
    const capture = () => Promise.reject(new Unavailable("the simulator answered with status 503"));
    const content = aContent();
    const { found, lines } = await ask({ simulator: { capture } }, "for the owner", content);
    expect(found).toBeUndefined();
    expect(lines).toContain("the simulator answered with status 503");
    expect(lines).not.toContain(content.to);
  });

  test("is not captured for a call that its sender encrypted, unless the operator allows it", async () => {
    expect(await ask({}, "encrypted by the sender")).toMatchObject({ found: undefined, calls: [] });
    expect(await ask({ simulatesSealed: true }, "encrypted by the sender")).toMatchObject({ found: state });
  });

  test("does not hide an error of ours", async () => {
    const capture = () => Promise.reject(new TypeError("a mistake"));
    await expect(ask({ simulator: { capture } })).rejects.toThrow("a mistake");
  });
});
