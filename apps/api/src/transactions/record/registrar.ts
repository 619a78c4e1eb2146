// The public trace of proposals: encrypted, pinned to IPFS, registered on the home chain. Those of a moment are registered
// together: one transaction, whatever their number. Everything here may be repeated and may run in several processes: the
// database says what was begun, and the chain what is done.
import { crashPoint } from "@countersign/platform/crash";
import type { Log } from "@countersign/platform/log";
import { maximumRegistrations, writeRegistrations } from "@countersign/wire/envelope";
import type { Inbox } from "../../adapters/inbox/index.ts";
import type { Ipfs } from "../../adapters/ipfs/index.ts";
import { sendOnce, type OwnTransactionStore } from "../../platform/own-wallet/index.ts";
import { workTogether, type Outcome } from "../../platform/work-together.ts";
import { isTerminal } from "../lifecycle.ts";
import type { Registrable, Registration, RegistrationStore } from "../store/index.ts";
import type { Transition } from "../transition.ts";
import type { Hex } from "../transaction.ts";
import type { SealLate } from "./seal-late.ts";

type Parts = {
  readonly registrations: RegistrationStore;
  readonly transition: Pick<Transition, "change">;
  readonly sealLate: SealLate;
  readonly ipfs: Pick<Ipfs, "pin">;
  /** Without one, proposals are stored and wait for it. */
  readonly inbox: Inbox | undefined;
  readonly homeChainId: number;
  readonly ownTransactions: OwnTransactionStore;
  /** How many registrations may be on their way at a time. */
  readonly atOnce: number;
  readonly log: Log;
};

/**
 * over: the proposal ended before. keyless: there is no key yet that it could be encrypted to. refused: its hash is on the chain
 * with another payload.
 */
type Registered = "registered" | "over" | "keyless" | "refused";

export type Registrar = {
  /** Resolves once it is registered, or cannot be. Rejects for what may work later. */
  readonly register: (requestHash: Hex) => Promise<Registered>;
  /** Looks after registrations that are not final: goes on with interrupted ones, and sends again what a reorg removed. */
  readonly follow: () => Promise<number>;
};

/** The purpose of a registration's transaction. Its subject is the registration's id. */
export const registrationPurpose = "register-proposals";
const followedAtMost = 20;
const pinnedAtOnce = 8;

/** In place of a step of the engine: all of it is repeated anyway. */
async function directly<T>(name: string, effect: () => Promise<T>): Promise<T> {
  crashPoint(`registration: before ${name}`);
  const result = await effect();
  crashPoint(`registration: after ${name}`);
  return result;
}

async function pinAll({ ipfs }: Parts, blocks: readonly Uint8Array[]): Promise<void> {
  const waiting = [...blocks];
  const worker = async (): Promise<void> => {
    for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) await ipfs.pin(block);
  };
  await Promise.all(Array.from({ length: pinnedAtOnce }, worker));
}

type Pin = (registration: Registration) => Promise<Hex>;

/**
 * First everything is pinned: a reader who sees the root on the chain must find its list and the payloads. Returns the digest of the
 * list.
 */
async function pin(parts: Parts, registration: Registration): Promise<Hex> {
  const envelopes = await parts.registrations.listEnvelopes(registration.id);
  await pinAll(parts, envelopes);
  crashPoint("registration: after pinning payloads");
  const { digest } = await parts.ipfs.pin(writeRegistrations(registration));
  crashPoint("registration: after pinning the list");
  return digest;
}

/** Pins each registration once in this process: waiting for a block may take several attempts. */
function makePinOnce(parts: Parts): { readonly pinOnce: Pin; readonly forget: (id: string) => void } {
  const pinned = new Map<string, Hex>();
  return {
    pinOnce: async (registration) => {
      const known = pinned.get(registration.id) ?? (await pin(parts, registration));
      pinned.set(registration.id, known);
      return known;
    },
    forget: (id) => void pinned.delete(id),
  };
}

/** Signs once and sends until it is in a block, as deep as configured. */
async function send(parts: Parts, inbox: Inbox, registration: Registration, listDigest: Hex): Promise<void> {
  const { ownTransactions: store, registrations } = parts;
  const { id, root, inbox: service } = registration;
  const sent = await sendOnce<"recorded">({
    ...{ purpose: registrationPurpose, subject: id, step: directly, store, wallet: inbox.wallet },
    plan: () =>
      registration.form === "root"
        ? inbox.planRoot({ root, listDigest, inbox: service })
        : inbox.planEntries(registration),
    claim: registrations.claimForSigning(id),
  });
  // Only a final block counts as a failure. The next attempt signs another one, once the cause is gone.
  if (sent.state === "reverted") throw new Error(`the registration ${id} had no effect`);
}

/** Those whose hash is on the chain with another digest can never be registered. Only contracts without roots refuse them. */
async function listRefused(
  inbox: Inbox,
  { form, inbox: service, entries }: Registration,
): Promise<ReadonlySet<Hex>> {
  if (form === "root") return new Set();
  const standings = await Promise.all(entries.map((entry) => inbox.standingOf(service, entry)));
  return new Set(
    entries.filter((_, index) => standings[index] === "taken").map((entry) => entry.requestHash),
  );
}

/** Notes that they are registered. Returns those that were refused. */
async function note(parts: Parts, inbox: Inbox, registration: Registration): Promise<ReadonlySet<Hex>> {
  const { transition, registrations } = parts;
  const refused = await listRefused(inbox, registration);
  await Promise.all(
    registration.entries
      .filter(({ requestHash }) => !refused.has(requestHash))
      .map(({ requestHash }) => transition.change({ requestHash }, () => ({ events: ["pin", "register"] }))),
  );
  crashPoint("registration: after noting");
  await registrations.noteState(registration.id, "recorded");
  return refused;
}

const done = (result: Registered): Outcome<Registered> => ({ kind: "done", result });
const failed = (error: unknown): Outcome<Registered> => ({ kind: "failed", error });

/** Puts new proposals into registrations, one for each verification service. */
async function assign(parts: Parts, inbox: Inbox, found: readonly Registrable[]): Promise<void> {
  const unassigned = found.filter(
    (one) => one.registrationId === null && !isTerminal(one) && one.service !== null,
  );
  if (unassigned.length === 0) return;
  const form = (await inbox.takesRoots()) ? "root" : "entries";
  for (const [service, ofService] of Map.groupBy(unassigned, (one) => one.service)) {
    if (service === null) continue;
    const ids = ofService.map(({ id }) => id);
    crashPoint("registration: before assigning");
    await parts.registrations.assign(ids, { chainId: parts.homeChainId, service, form });
    crashPoint("registration: after assigning");
  }
}

/** Encrypts what was not encrypted when it was proposed. Returns the outcomes of those that could not be. */
async function sealAll(
  parts: Parts,
  found: readonly Registrable[],
): Promise<ReadonlyMap<Hex, Outcome<Registered>>> {
  const unsealed = found.filter((one) => one.contentDigest === null && !isTerminal(one));
  const outcomes = await Promise.all(
    unsealed.map(async ({ requestHash }) => {
      try {
        return (await parts.sealLate(requestHash)) ? [] : [[requestHash, done("keyless")] as const];
      } catch (error) {
        return [[requestHash, failed(error)] as const];
      }
    }),
  );
  return new Map(outcomes.flat());
}

type Complete = (inbox: Inbox, registration: Registration) => Promise<ReadonlySet<Hex>>;

/** Completes a registration, and returns what was refused of it. Calls for the same one share its run. */
function makeComplete(parts: Parts): Complete {
  const running = new Map<string, Promise<ReadonlySet<Hex>>>();
  const { pinOnce, forget } = makePinOnce(parts);
  return (inbox, registration) => {
    const { id } = registration;
    const run = async (): Promise<ReadonlySet<Hex>> => {
      if (registration.state === "open") await send(parts, inbox, registration, await pinOnce(registration));
      const refused = await note(parts, inbox, registration);
      forget(id);
      return refused;
    };
    const known = running.get(id) ?? run().finally(() => running.delete(id));
    running.set(id, known);
    return known;
  };
}

/** Returns the outcome of each entry of these registrations. */
async function completeAll(
  { registrations }: Parts,
  {
    ids,
    complete,
  }: { ids: ReadonlySet<string>; complete: (registration: Registration) => ReturnType<Complete> },
): Promise<ReadonlyMap<Hex, Outcome<Registered>>> {
  const results = await Promise.all(
    Array.from(ids, async (id) => {
      const registration = await registrations.findRegistration(id);
      if (registration === undefined) throw new Error(`the registration ${id} is missing`);
      const all = registration.entries.map((entry) => entry.requestHash);
      try {
        const refused = await complete(registration);
        return all.map((hash) => [hash, done(refused.has(hash) ? "refused" : "registered")] as const);
      } catch (error) {
        return all.map((hash) => [hash, failed(error)] as const);
      }
    }),
  );
  return new Map(results.flat());
}

const makeRegisterAll =
  (parts: Parts, complete: Complete) =>
  async (requestHashes: readonly Hex[]): Promise<readonly Outcome<Registered>[]> => {
    const { inbox, registrations } = parts;
    if (inbox === undefined) throw new Error("INBOX_ADDRESS is not set: proposals wait for it");
    const list = () => registrations.listRegistrable(requestHashes);
    let found = await list();
    const unsealed = await sealAll(parts, found);
    if (found.some(({ contentDigest }) => contentDigest === null)) found = await list();
    await assign(parts, inbox, found);
    if (found.some(({ registrationId }) => registrationId === null)) found = await list();
    const ids = new Set(found.flatMap(({ registrationId }) => registrationId ?? []));
    const outcomes = await completeAll(parts, { ids, complete: (one) => complete(inbox, one) });
    return requestHashes.map(
      (requestHash) => unsealed.get(requestHash) ?? outcomes.get(requestHash) ?? done("over"),
    );
  };

const makeFollowOne =
  ({ registrations, ownTransactions, log }: Parts, complete: Complete) =>
  async (inbox: Inbox, registration: Registration): Promise<void> => {
    const { id, state } = registration;
    if (state === "open") {
      log.warn("retrying registration", { key: id });
      await complete(inbox, registration);
      return;
    }
    const kept = await ownTransactions.findLive({ purpose: registrationPurpose, subject: id });
    const finality = kept === undefined ? "final" : await inbox.wallet.finalityOf(kept);
    if (finality === "final") await registrations.noteState(id, "final");
    if (finality !== "missing") return;
    log.warn("registration removed by a reorg, sending again", { key: id });
    await complete(inbox, { ...registration, state: "open" });
  };

export function makeRegistrar(parts: Parts): Registrar {
  const { registrations, inbox, log } = parts;
  const complete = makeComplete(parts);
  const followOne = makeFollowOne(parts, complete);
  return {
    register: workTogether({
      work: makeRegisterAll(parts, complete),
      ...{ atMost: maximumRegistrations, groups: parts.atOnce, isAllOrNothing: true },
    }),
    follow: async () => {
      if (inbox === undefined) return 0;
      const claimed = await registrations.claimToFollow(followedAtMost);
      for (const registration of claimed)
        // Not awaited: it may wait for blocks, and the sweeper has other work.
        void followOne(inbox, registration).catch((error: unknown) => {
          log.warn("registration not followed, retrying", { key: registration.id, error });
        });
      return claimed.length;
    },
  };
}
