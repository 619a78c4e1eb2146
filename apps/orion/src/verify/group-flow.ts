// Verifies several proposals in one run of the engine: those of a recorded root, or unencrypted ones that were announced together.
import { createHash } from "node:crypto";
import type { Clock } from "@countersign/platform/clock";
import { defineFlow, FlowCannotGoOn, type Flow } from "@countersign/platform/engine";
import type { Log } from "@countersign/platform/log";
import { inTrace, readTraceparent } from "@countersign/platform/trace";
import { registrationRoot, type Hex } from "@countersign/wire";
import { readRegistrations } from "@countersign/wire/envelope";
import type { Enclave } from "../adapters/enclave/index.ts";
import { Unavailable } from "../adapters/http/index.ts";
import type { Inbox, InboxEntry, RecordedRoot } from "../adapters/inbox/index.ts";
import type { Payloads } from "../adapters/payloads/index.ts";
import type { RecordClient, Standing } from "../adapters/record/index.ts";
import { makeProve } from "./attach-proof.ts";
import { patienceMs, type Outcome, type VerifyAndPost } from "./verify-and-post.ts";

export const verifyGroupFlowName = "orion-verify-group";

type Parts = {
  readonly record: Pick<RecordClient, "readStandings" | "attachProof">;
  readonly inbox: Pick<Inbox, "isRootRecorded">;
  readonly payloads: Payloads;
  readonly verifyAndPost: VerifyAndPost;
  /** Undefined without an enclave. Then there is no proof, and none is claimed. */
  readonly enclave: Enclave | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a proof is waited for. The verdict is valid by its signature alone. */
  readonly proofPatienceMs: number;
};

type Member = { readonly requestHash: Hex; readonly entry?: InboxEntry };

/** How many are verified at a time. The validator works on a few, and the others wait there. */
const atOnce = 8;

const rootKey = /^(0x[0-9a-f]{64})\.(0x[0-9a-f]{64})$/;
const requestHashText = /^0x[0-9a-f]{64}$/;

export const keyOfRoot = ({ root, listDigest }: RecordedRoot): string => `${root}.${listDigest}`;

/** The same proposals, announced again, are the same work. */
export const keyOfGroup = (requestHashes: readonly Hex[]): string =>
  createHash("sha256")
    .update([...requestHashes].sort().join())
    .digest("hex");

/**
 * Returns the proposals under a root. The list is believed if its root is this one, and the root if the chain has it. A list that
 * leads to another root is of no use to anyone, and never will be.
 */
async function readRoot(
  { inbox, payloads }: Parts,
  { root, listDigest }: RecordedRoot,
): Promise<readonly Member[]> {
  if (!(await inbox.isRootRecorded(root))) throw new Unavailable("the chain does not have this root yet");
  const list = readRegistrations(await payloads.fetch(listDigest));
  if (list === undefined || registrationRoot(list) !== root)
    throw new FlowCannotGoOn("the list does not lead to the root that the chain has");
  return list.entries.map(({ requestHash, contentDigest }) => ({
    requestHash,
    entry: { contentDigest, inbox: list.inbox },
  }));
}

/** Returns none once the root has been waited for too long. */
async function readMembers(parts: Parts, recorded: RecordedRoot, since: number): Promise<readonly Member[]> {
  const { log, clock } = parts;
  try {
    return await readRoot(parts, recorded);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const about = { key: recorded.root, reason: error.message };
    if (clock.now().getTime() - since < patienceMs) {
      log.info("root not verified yet, retrying", about);
      throw error;
    }
    log.warn("root given up", about);
    return [];
  }
}

type Group = { readonly members: readonly Member[]; readonly since: number };

/** Runs it for all items, a few at a time. */
async function forEach<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

type VerifyAll = (key: string, group: Group) => Promise<ReadonlyMap<Hex, Outcome>>;

/** Verifies those that are left. Throws `Unavailable` while some could not be verified. */
function makeVerifyAll({ record, verifyAndPost }: Parts): VerifyAll {
  /** The outcomes of members that are done, while others of their group are retried. After a crash they are read from the main service. */
  const finished = new Map<string, Map<Hex, Outcome>>();

  const verifyOne = ({ requestHash, entry }: Member, standing: Standing, since: number): Promise<Outcome> => {
    const parent = standing.kind === "open" ? readTraceparent(standing.traceparent) : undefined;
    const attributes = { "countersign.flow": verifyGroupFlowName, "countersign.request_hash": requestHash };
    return inTrace(`${verifyGroupFlowName}: verify`, { parent, attributes }, () =>
      verifyAndPost(requestHash, since, { standing, ...(entry === undefined ? {} : { entry }) }),
    );
  };

  return async (key, { members, since }) => {
    const done = finished.get(key) ?? new Map<Hex, Outcome>();
    finished.set(key, done);
    const left = members.filter(({ requestHash }) => !done.has(requestHash));
    const standings = await record.readStandings(left.map(({ requestHash }) => requestHash));
    await forEach(left, async (member) => {
      const standing = standings.get(member.requestHash) ?? { kind: "unknown" };
      const outcome = await verifyOne(member, standing, since).catch((error: unknown) => {
        if (!(error instanceof Unavailable)) throw error;
      });
      if (outcome !== undefined) done.set(member.requestHash, outcome);
    });
    if (done.size < members.length)
      throw new Unavailable(
        `${members.length - done.size} of ${members.length} proposals are not verified yet`,
      );
    finished.delete(key);
    return done;
  };
}

export function makeVerifyGroupFlow(parts: Parts): Flow {
  const { enclave, clock } = parts;
  const verifyAll = makeVerifyAll(parts);
  return defineFlow({
    name: verifyGroupFlowName,
    run: async ({ key, works, step }) => {
      const [, root, listDigest] = rootKey.exec(key) ?? [];
      if (root === undefined && works.some((work) => !requestHashText.test(work.key)))
        throw new FlowCannotGoOn("a key is not a request hash");
      const since = await step("note the time", async () => clock.now().getTime());
      const posted = await step("verify and post", async () => {
        const members =
          root === undefined || listDigest === undefined
            ? works.map((work) => ({ requestHash: work.key as Hex }))
            : await readMembers(parts, { root: root as Hex, listDigest: listDigest as Hex }, since);
        const outcomes = await verifyAll(key, { members, since });
        // Only for a proof: the journal stays as small as it can be.
        if (enclave === undefined) return [];
        return Array.from(outcomes, ([requestHash, { verdictHash }]) => ({
          requestHash,
          verdictHash,
        })).filter(({ verdictHash }) => verdictHash !== undefined);
      });
      if (enclave === undefined || posted.length === 0) return;
      const from = await step("note the time of the verdicts", async () => clock.now().getTime());
      const prove = makeProve(parts, enclave);
      await step("attach the proofs", () =>
        forEach(posted, async ({ requestHash, verdictHash }) => {
          if (verdictHash !== undefined) await prove({ requestHash, verdictHash, since: from });
        }),
      );
    },
  });
}
