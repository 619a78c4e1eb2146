// Proposals at a rate, each followed to its execution: an agent proposes, the service decides, the owner's wallet sends.
import { setTimeout as sleep } from "node:timers/promises";
import { createCountersign, type TransactionEvent } from "@countersign/sdk";
import { waitUntil } from "../engines/wait.ts";
import { anOwner, type Owner, type Site } from "../stage/owner.ts";
import { aProposal } from "../stage/story.ts";
import { propose } from "./propose.ts";
import { makeSender, type Send } from "./send.ts";
import { makeStories, type Stories } from "./stories.ts";

export type Load = Pick<Stories, "progress" | "delays" | "gaps" | "told" | "accepted"> & {
  /** Attempts to propose that were cut off or not accepted, by their reason. */
  readonly failures: ReadonlyMap<string, number>;
  readonly count: () => number;
  /** Proposals that were not begun, because too many were under way. */
  readonly heldBack: () => number;
  /** Begins no further proposal. Returns once all have been executed. */
  readonly finish: (seconds: number) => Promise<void>;
};

type Options = {
  readonly site: Site;
  /** Proposals a second. */
  readonly rate: number;
  readonly owners: number;
  /** The share of owners whose proposals are encrypted and registered on the chain. */
  readonly sealed: number;
  /** Proposals under way at most. */
  readonly atOnce: number;
  readonly random: () => number;
};

type Agent = {
  readonly owner: Owner;
  readonly isSealed: boolean;
  readonly send: Send;
  /** Ends its stream. */
  readonly stop: () => void;
};

/** Counters of the load, and its first error. */
type Counts = { begun: number; open: number; heldBack: number; error: unknown };

export async function startLoad(options: Options): Promise<Load> {
  const counts: Counts = { begun: 0, open: 0, heldBack: 0, error: undefined };
  const failures = new Map<string, number>();
  const fail = (error: unknown): void => {
    counts.error ??= error;
  };
  const agents: Agent[] = [];
  const stories = makeStories({
    onReady: ({ owner, call, sent }) => {
      const { send } = agents.find((agent) => agent.owner === owner) ?? {};
      // Its hash is known before it is sent, so it is sent once.
      send?.(call, (hash) => sent.push(hash)).catch(fail);
    },
    onExecuted: () => counts.open--,
  });
  for (let index = 0; index < options.owners; index++)
    agents.push(
      await makeAgent(options.site, {
        ...{ isSealed: index < Math.round(options.owners * options.sealed), take: stories.take, fail },
      }),
    );
  const onFailure = (reason: string): void => {
    failures.set(reason, (failures.get(reason) ?? 0) + 1);
  };
  const begin = async ({ owner, isSealed }: Agent): Promise<void> => {
    const kind = isSealed ? "agent" : "direct";
    const proposal = aProposal(kind, ++counts.begun);
    counts.open++;
    const since = performance.now();
    const requestHash = await propose({ site: options.site, owner, isSealed, proposal, onFailure });
    stories.add({ kind, owner, requestHash, call: proposal.call }, since);
  };
  const driver = drive(options, counts, (share) => {
    const agent = agents[Math.floor(share * agents.length)];
    if (agent !== undefined) begin(agent).catch(fail);
  });
  return {
    ...{ ...stories, failures, count: () => counts.begun, heldBack: () => counts.heldBack },
    finish: async (seconds) => {
      await driver.stop();
      await untilExecuted(counts, seconds).finally(() => {
        for (const { stop } of agents) stop();
      });
    },
  };
}

async function untilExecuted(counts: Counts, seconds: number): Promise<void> {
  const hasFailed = (): boolean => counts.error !== undefined;
  await waitUntil("all proposals are executed", () => counts.open === 0 || hasFailed(), { seconds });
  if (hasFailed()) throw new Error("the load failed", { cause: counts.error });
}

/** Calls `begin` at the rate, until it is stopped. A tick with too many under way is counted and left out. */
function drive({ rate, atOnce, random }: Options, counts: Counts, begin: (share: number) => void) {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    const since = performance.now();
    for (let tick = 0; !stopping.signal.aborted; tick++) {
      await sleep(Math.max(0, since + (tick * 1000) / rate - performance.now()));
      const share = random();
      if (counts.open >= atOnce) counts.heldBack++;
      else begin(share);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

type Making = {
  readonly isSealed: boolean;
  readonly take: (event: TransactionEvent) => void;
  readonly fail: (error: unknown) => void;
};

/** An owner with an agent, whose event stream is open. The stream reconnects on its own, and resumes without a gap. */
async function makeAgent(site: Site, { isSealed, take, fail }: Making): Promise<Agent> {
  const owner = await anOwner(site, isSealed ? 2 : 0);
  const stopping = new AbortController();
  const opened = Promise.withResolvers<undefined>();
  const apiKey = owner.credentials().agent["x-api-key"] ?? "";
  const { events } = createCountersign({ url: site.urls.api, apiKey });
  const follow = async (): Promise<void> => {
    const onConnection = (isOpen: boolean): void => {
      if (isOpen) opened.resolve(undefined);
    };
    for await (const event of events({ signal: stopping.signal, onConnection })) take(event);
  };
  follow().catch((error: unknown) => {
    if (!stopping.signal.aborted) fail(error);
    opened.reject(error);
  });
  await opened.promise;
  return {
    ...{ owner, isSealed, send: makeSender(site.chain, owner.wallet) },
    stop: () => {
      stopping.abort();
    },
  };
}
