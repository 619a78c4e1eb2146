import { describe, expect, test } from "vitest";
import { makeReceipt, terms, trust } from "../../test/receipt.ts";
import type { Proposal, Receipt, UserApproval } from "../types.ts";
import { findNotApproved, guard } from "./index.ts";
import { account, recordingNode, scripted, transactionHash } from "../../test/viem/scripted.ts";

const bob = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const words = `Send 1 wei to ${bob}`;
const soon = Math.floor(Date.now() / 1000) + 600;
const yes = { decision: "APPROVED" } as UserApproval;

/** The fields of a proposal as the receipt has them. */
const fieldsOf = ({ tx, chainId, escrowAddress, userPrompt }: Proposal) => ({
  ...{ to: tx.to, value: tx.value ?? 0n, data: tx.data ?? "0x", userPrompt, deadline: soon },
  ...{ chainId: chainId ?? 0, escrow: escrowAddress ?? terms.escrow },
});

type Case = {
  readonly make: (proposal: Proposal) => Promise<Receipt>;
  readonly user?: readonly UserApproval[];
};

/** A wallet that trusts the arbiter alone, with a service that approves of everything. */
async function send({ make, user = [] }: Case): Promise<{ sent: number; problem: string | undefined }> {
  const node = recordingNode();
  const receipts: Receipt[] = [];
  const { countersign, proposals } = scripted();
  const wallet = guard(node.wallet(), {
    countersign: {
      ...countersign,
      propose: async (proposal, options) => {
        const receipt = await make(proposal);
        receipts.push(receipt);
        const proposed = await countersign.propose(proposal, options);
        return { ...proposed, requestHash: receipt.requestHash };
      },
      waitForStatus: async (requestHash, statuses) => ({
        ...(await countersign.waitForStatus(requestHash, statuses)),
        ...{ requestHash, approvals: { user: [...user], orion: [], apiKey: [] } },
      }),
      receipt: async () => receipts.at(-1) ?? Promise.reject(new Error("no receipt")),
    },
    ...{ words, trust },
  });
  const error: unknown = await wallet.sendTransaction({ to: bob, value: 1n }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(proposals).toHaveLength(1);
  expect(error === undefined).toBe(findNotApproved(error) === undefined);
  return { sent: node.sent().length, problem: findNotApproved(error)?.message };
}

describe("a wallet that trusts the arbiter's signature alone", () => {
  test("sends what the arbiter signed", async () => {
    const make = (proposal: Proposal) => makeReceipt({ over: fieldsOf(proposal) });
    expect(await send({ make })).toEqual({ sent: 1, problem: undefined });
  });

  test("sends what the arbiter left undecided only with the owner's yes", async () => {
    const make = (proposal: Proposal) => makeReceipt({ decision: "UNDECIDED", over: fieldsOf(proposal) });
    expect(await send({ make, user: [yes] })).toEqual({ sent: 1, problem: undefined });
    expect(await send({ make })).toMatchObject({
      sent: 0,
      problem: expect.stringMatching("UNDECIDED") as string,
    });
  });

  const others: [string, Partial<ReturnType<typeof fieldsOf>>, RegExp][] = [
    ["another recipient", { to: account.address }, /about something else/],
    ["another amount", { value: 2n }, /about something else/],
    ["other data", { data: "0x00" }, /about something else/],
    ["other words", { userPrompt: "Send everything" }, /about something else/],
    ["another chain", { chainId: 1 }, /about something else/],
    ["another account", { escrow: terms.escrow }, /about something else/],
    ["a deadline that is past", { deadline: soon - 3600 }, /has run out/],
  ];
  test.each(others)("sends nothing if what was signed has %s", async (_, over, problem) => {
    const make = (proposal: Proposal) => makeReceipt({ over: { ...fieldsOf(proposal), ...over } });
    const { sent, problem: said } = await send({ make, user: [yes] });
    expect(sent).toBe(0);
    expect(said).toMatch(problem);
  });

  const bent: [string, (receipt: Receipt) => Receipt, RegExp][] = [
    ["no signature", (receipt) => ({ ...receipt, attestation: null }), /nobody has judged/],
    ["another request", (receipt) => ({ ...receipt, requestHash: transactionHash }), /does not hold/],
  ];
  test.each(bent)("sends nothing with %s", async (_, bend, problem) => {
    const make = async (proposal: Proposal) => bend(await makeReceipt({ over: fieldsOf(proposal) }));
    const { sent, problem: said } = await send({ make, user: [yes] });
    expect(sent).toBe(0);
    expect(said).toMatch(problem);
  });

  test("sends nothing that the arbiter rejected, whoever said yes", async () => {
    const make = (proposal: Proposal) => makeReceipt({ decision: "REJECTED", over: fieldsOf(proposal) });
    expect(await send({ make, user: [yes] })).toMatchObject({
      ...{ sent: 0, problem: "Not sent: the signed verdict says REJECTED, whatever the record says" },
    });
  });
});
