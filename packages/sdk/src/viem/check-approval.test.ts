import { describe, expect, test, vi } from "vitest";
import { makeReceipt, terms, trust } from "../../test/receipt.ts";
import type { Proposal, Receipt, UserApproval } from "../types.ts";
import { findNotApproved, guard } from "./index.ts";
import { account, recordingNode, scripted, transactionHash } from "../../test/viem/scripted.ts";

const bob = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const words = `Send 1 wei to ${bob}`;
const soon = Math.floor(Date.now() / 1000) + 600;
const anApproval = (
  decision: UserApproval["decision"],
  verdictSeen: UserApproval["verdictSeen"],
): UserApproval => ({ decision, verdictSeen }) as UserApproval;
const yes = anApproval("APPROVED", "UNDECIDED");

/** The fields of a proposal as the receipt has them. */
const fieldsOf = ({ tx, chainId, escrowAddress, userPrompt }: Proposal) => ({
  ...{ to: tx?.to ?? terms.escrow, value: tx?.value ?? 0n, data: tx?.data ?? "0x" },
  ...{ userPrompt, deadline: soon },
  ...{ chainId: chainId ?? 0, escrow: escrowAddress ?? terms.escrow },
});

type Case = {
  readonly make: (proposal: Proposal) => Promise<Receipt>;
  readonly user?: readonly UserApproval[];
};

/** A guarded wallet with trust, and a service that reports everything as approved. */
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

describe("a guarded wallet with trust", () => {
  test("sends a transaction with a signed approval", async () => {
    const make = (proposal: Proposal) => makeReceipt({ over: fieldsOf(proposal) });
    expect(await send({ make })).toEqual({ sent: 1, problem: undefined });
  });

  test("sends an undecided transaction only with the owner's approval", async () => {
    const make = (proposal: Proposal) => makeReceipt({ decision: "UNDECIDED", over: fieldsOf(proposal) });
    expect(await send({ make, user: [yes] })).toEqual({ sent: 1, problem: undefined });
    expect(await send({ make })).toMatchObject({
      sent: 0,
      problem: expect.stringMatching("UNDECIDED") as string,
    });
  });

  const others: [string, Partial<ReturnType<typeof fieldsOf>>, RegExp][] = [
    ["another recipient", { to: account.address }, /belongs to another transaction/],
    ["another amount", { value: 2n }, /belongs to another transaction/],
    ["other data", { data: "0x00" }, /belongs to another transaction/],
    ["other words", { userPrompt: "Send everything" }, /belongs to another transaction/],
    ["another chain", { chainId: 1 }, /belongs to another transaction/],
    ["another account", { escrow: terms.escrow }, /belongs to another transaction/],
    ["a deadline that is past", { deadline: soon - 3600 }, /has expired/],
  ];
  test.each(others)("sends nothing if the signed verdict has %s", async (_, over, problem) => {
    const make = (proposal: Proposal) => makeReceipt({ over: { ...fieldsOf(proposal), ...over } });
    const { sent, problem: said } = await send({ make, user: [yes] });
    expect(sent).toBe(0);
    expect(said).toMatch(problem);
  });

  const bent: [string, (receipt: Receipt) => Receipt, RegExp][] = [
    ["no signature", (receipt) => ({ ...receipt, attestation: null }), /has no signed verdict/],
    ["another request", (receipt) => ({ ...receipt, requestHash: transactionHash }), /is invalid/],
  ];
  test.each(bent)("sends nothing with %s", async (_, bend, problem) => {
    const make = async (proposal: Proposal) => bend(await makeReceipt({ over: fieldsOf(proposal) }));
    const { sent, problem: said } = await send({ make, user: [yes] });
    expect(sent).toBe(0);
    expect(said).toMatch(problem);
  });

  test("sends nothing if the signed verdict is a rejection, despite approvals", async () => {
    const make = (proposal: Proposal) => makeReceipt({ decision: "REJECTED", over: fieldsOf(proposal) });
    expect(await send({ make, user: [yes] })).toMatchObject({
      ...{
        sent: 0,
        problem: "Not sent: the signed verdict is REJECTED, but the service reports an approval",
      },
    });
  });

  test.each([
    ["a rejection", anApproval("REJECTED", "UNDECIDED")],
    ["an approval from before the verdict", anApproval("APPROVED", null)],
  ])("sends nothing with an undecided verdict and %s", async (_, approval) => {
    const make = (proposal: Proposal) => makeReceipt({ decision: "UNDECIDED", over: fieldsOf(proposal) });
    expect((await send({ make, user: [approval] })).sent).toBe(0);
    expect((await send({ make, user: [approval, yes] })).sent).toBe(1);
  });

  test("sends in the last millisecond of a verdict, and not after it", async () => {
    const make = (proposal: Proposal) => makeReceipt({ over: fieldsOf(proposal) });
    const now = vi.spyOn(Date, "now").mockReturnValue(soon * 1000);
    expect(await send({ make })).toEqual({ sent: 1, problem: undefined });
    now.mockReturnValue(soon * 1000 + 1);
    expect(await send({ make })).toEqual({ sent: 0, problem: "Not sent: the signed verdict has expired" });
    now.mockRestore();
  });
});
