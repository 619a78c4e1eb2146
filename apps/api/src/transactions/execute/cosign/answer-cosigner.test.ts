import { createPrivateKey } from "node:crypto";
import { describe, expect, test } from "vitest";
import { systemClock } from "@countersign/platform/clock";
import { makeLog } from "@countersign/platform/log";
import { anRsaKey } from "../../../../../../tools/stand-ins/custodian/testing.ts";
import { readToken } from "../../../../../../tools/stand-ins/custodian/tokens.ts";
import type { Claim } from "../../store/index.ts";
import { approve, reject, type Answer } from "./answer.ts";
import { makeAnswerCosigner } from "./answer-cosigner.ts";
import { aQuestion, tokenOf } from "../../../../test/transactions/execute/cosign.ts";

const [theirs, ours] = [anRsaKey(), anRsaKey()];
const wallet = `0x${"bb".repeat(20)}` as const;
const integration = {
  ...{ id: "one", account: wallet, wallet, vaultAccountId: "0" },
  cosignerPublicKey: theirs.publicKey.export({ format: "pem", type: "spki" }).toString(),
};

/** A check with its own timing, and a store with one proposal. */
function answerWith(checkProposal: () => Promise<Answer>, claim: Claim = "claimed") {
  const claims: unknown[] = [];
  const answerCosigner = makeAnswerCosigner({
    custody: { findForCosigner: async () => integration },
    store: {
      find: async () => ({ id: "a", account: wallet }) as never,
      findCosigned: async () => undefined,
      listSendable: async () => [`0x${"ab".repeat(32)}`],
      claimCosignature: async (_of, cosigned) => {
        claims.push(cosigned);
        return claim;
      },
    },
    checkProposal,
    callbackKey: async () => ({ privateKey: createPrivateKey(pem), publicPem: "" }),
    ...{ clock: systemClock, log: makeLog({ app: "test", level: "silent" }), patienceMs: 50 },
  });
  const ask = async (question = aQuestion({ vaultAccountId: "0" })) =>
    readToken(await answerCosigner("one", tokenOf({ keys: theirs }, question)), ours.publicKey);
  return { ask, claims };
}
const pem = ours.privateKey.export({ format: "pem", type: "pkcs8" });

describe("a check", () => {
  test("that takes too long is a RETRY, in time", async () => {
    const { ask, claims } = answerWith(() => new Promise(() => undefined));
    expect(await ask()).toMatchObject({ action: "RETRY" });
    expect(claims).toEqual([]);
  });
  test("that fails gives no answer at all: nothing is signed", async () => {
    const { ask } = answerWith(() => Promise.reject(new Error("the record is away")));
    await expect(ask()).rejects.toThrow("the record is away");
  });
  test("that approves claims their transaction with its nonce, and no other does", async () => {
    const { ask, claims } = answerWith(async () => approve);
    const question = aQuestion({ vaultAccountId: "0" });
    expect(await ask(question)).toEqual({ action: "APPROVE", requestId: question["requestId"] });
    expect(claims).toEqual([{ theirId: question["txId"], nonce: 0 }]);
    for (const action of ["REJECT", "RETRY"] as const) {
      const other = answerWith(async () => ({ action, reason: "no" }));
      expect(await other.ask()).toMatchObject({ action });
      expect(other.claims).toEqual([]);
    }
  });
  test("that approves is repeated when the proposal changed in the meantime, and the last result counts", async () => {
    const results = [approve, reject("its owner said no")];
    const { ask, claims } = answerWith(async () => results.shift() ?? approve, "changed");
    expect(await ask()).toMatchObject({ action: "REJECT", rejectionReason: "its owner said no" });
    expect(claims).toHaveLength(1);
  });
  test("that approves a proposal that keeps changing is a RETRY", async () => {
    const { ask } = answerWith(async () => approve, "changed");
    expect(await ask()).toMatchObject({ action: "RETRY" });
  });
  test("that approves is rejected where another was signed", async () => {
    const { ask } = answerWith(async () => approve, "taken");
    expect(await ask()).toMatchObject({ action: "REJECT" });
  });
});
