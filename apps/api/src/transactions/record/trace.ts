// The public trace of a proposal: encrypted, pinned to IPFS, registered on the inbox contract. Each step reads the
// database first, so that it can be repeated, and stops when the proposal has ended in the meantime.
import type { Clock } from "@countersign/platform/clock";
import { FlowCannotGoOn } from "@countersign/platform/engine";
import type { Inbox, InboxRecord } from "../../adapters/inbox/index.ts";
import type { Ipfs } from "../../adapters/ipfs/index.ts";
import type { FlowSteps } from "../../platform/flows/index.ts";
import { sendOnce, type OwnTransactionStore } from "../../platform/own-wallet/index.ts";
import type { Transition } from "../transition.ts";
import { isTerminal, statusOf } from "../lifecycle.ts";
import { contentOf, seal, subjectOf } from "./seal.ts";
import type { TransactionStore } from "../store/index.ts";
import type { Hex, Transaction } from "../transaction.ts";
import type { FindService } from "./verification-service.ts";

type Parts = {
  readonly store: Pick<TransactionStore, "find" | "readSealing" | "claimForRegistration">;
  readonly transition: Pick<Transition, "change">;
  readonly findService: FindService;
  readonly ipfs: Ipfs;
  /** Without one, proposals are stored and wait for it. */
  readonly inbox: Inbox | undefined;
  readonly ownTransactions: OwnTransactionStore;
  readonly clock: Clock;
};

export type Trace = {
  /** "over": the proposal ended before the trace was complete. */
  readonly leave: (requestHash: Hex, step: FlowSteps["step"]) => Promise<"left" | "over">;
  /** Registers it again if a reorg removed it. `when` distinguishes the steps of several calls. */
  readonly restore: (requestHash: Hex, step: FlowSteps["step"], when: string) => Promise<void>;
};

/** The purpose of transactions that register proposals. */
export const registrationPurpose = "register-proposal";

async function read({ store }: Pick<Parts, "store">, requestHash: Hex): Promise<Transaction> {
  const found = await store.find(requestHash);
  if (found === undefined) throw new FlowCannotGoOn("no such transaction");
  return found;
}

/** Encrypts it if it was not encrypted when proposed. Retried until the service's key is known. */
async function sealLate(parts: Parts, requestHash: Hex): Promise<void> {
  const transaction = await read(parts, requestHash);
  const sealing = await parts.store.readSealing(requestHash);
  const subject = subjectOf(transaction);
  if (isTerminal(transaction) || sealing?.envelope !== null || subject === undefined) return;
  const service = await parts.findService(transaction.serviceId ?? undefined);
  if (service === undefined || service.armoured === null)
    throw new Error("no verification service has a key yet");
  const content = contentOf({ ...transaction, subject }, sealing.extras ?? {});
  const envelope = await seal(content, service.armoured, parts.clock);
  // If another process encrypted it at the same time, the first one wins.
  await parts.transition.change({ requestHash }, ({ contentDigest }) =>
    contentDigest === null ? { facts: { envelope, serviceId: service.id } } : undefined,
  );
}

async function pin(parts: Parts, requestHash: Hex): Promise<void> {
  const transaction = await read(parts, requestHash);
  if (isTerminal(transaction) || transaction.phase !== "RECEIVED") return;
  const envelope = (await parts.store.readSealing(requestHash))?.envelope;
  if (envelope === null || envelope === undefined) throw new FlowCannotGoOn("the envelope is missing");
  const { digest } = await parts.ipfs.pin(envelope);
  if (digest !== transaction.contentDigest) throw new FlowCannotGoOn("the envelope has another digest");
  await parts.transition.change({ requestHash }, () => ({ events: ["pin"] }));
}

const isRefused = (transaction: Transaction): boolean =>
  ["REJECTED", "FAILED"].includes(statusOf(transaction));

/** Returns the entry to register on the chain. */
async function recordOf(
  parts: Parts,
  { requestHash, contentDigest, serviceId }: Transaction,
): Promise<InboxRecord> {
  const service = serviceId === null ? undefined : await parts.findService(serviceId);
  if (service === undefined || contentDigest === null) throw new FlowCannotGoOn("it was never encrypted");
  return { requestHash, contentDigest, inbox: service.inbox as Hex };
}

type Registering = { readonly requestHash: Hex; readonly step: FlowSteps["step"]; readonly label: string };

/** Signed once and sent until the chain has it. */
async function register(
  parts: Parts,
  { requestHash, step, label }: Registering,
): Promise<"registered" | "over"> {
  const { inbox } = parts;
  if (inbox === undefined) throw new Error("INBOX_ADDRESS is not set: the proposal waits for it");
  const sent = await sendOnce({
    purpose: registrationPurpose,
    subject: requestHash,
    step,
    label,
    store: parts.ownTransactions,
    wallet: inbox.wallet,
    plan: async () => {
      const transaction = await read(parts, requestHash);
      return isTerminal(transaction) ? "over" : inbox.plan(await recordOf(parts, transaction));
    },
    claim: parts.store.claimForRegistration(requestHash),
  });
  if (sent.state === "mined") return "registered";
  if (sent.state === "unsent" && sent.reason === "recorded") return "registered";
  if (sent.state === "unsent" && sent.reason !== "taken") return "over";
  const standing = await step(`${label}standing`, async () =>
    inbox.standingOf(await recordOf(parts, await read(parts, requestHash))),
  );
  if (standing !== "recorded") throw new FlowCannotGoOn(`the inbox refused ${requestHash}`);
  return "registered";
}

export const makeTrace = (parts: Parts): Trace => ({
  leave: async (requestHash, step) => {
    await step("seal", () => sealLate(parts, requestHash));
    await step("pin", () => pin(parts, requestHash));
    if ((await register(parts, { requestHash, step, label: "" })) === "over") return "over";
    await step("registered", async () => {
      await parts.transition.change({ requestHash }, () => ({ events: ["register"] }));
    });
    return "left";
  },
  restore: async (requestHash, step, when) => {
    const { inbox } = parts;
    if (inbox === undefined) return;
    const label = `mend ${when}: `;
    const isWhole = await step(`${label}look`, async () => {
      const transaction = await read(parts, requestHash);
      // An unencrypted proposal has left no trace, and a refused one needs none.
      if (isRefused(transaction) || transaction.form === "unsealed") return true;
      return (await inbox.standingOf(await recordOf(parts, transaction))) !== "absent";
    });
    if (!isWhole) await register(parts, { requestHash, step, label });
  },
});
