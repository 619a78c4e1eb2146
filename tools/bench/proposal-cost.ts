// The cost of a proposal from its POST to its verdict and the flow's next wait, in both forms. The cost of the idle stack
// over the same time is subtracted and shown on its own.
import { setTimeout as sleep } from "node:timers/promises";
import { waitUntil, withClient, type Supervisor } from "../engines/index.ts";
import { signUpDirectUser, startStack } from "./bench-stack.ts";
import { aProposal, type Agent } from "./bench-transactions-stage.ts";
import { makeTotals, minus, type Totals } from "./cost-counters.ts";
import { startRpcCounter, type RpcCounter } from "./count-rpc.ts";

type Options = { readonly supervisor: Supervisor; readonly dir: string };

export const forms = ["unsealed", "standard"] as const;
export type Form = (typeof forms)[number];

export type CostMeter = {
  /** Per second, with nothing to do. */
  readonly idle: Totals;
  /** Per proposal. */
  readonly measure: (form: Form) => Promise<Totals>;
  readonly close: () => void;
};

const count = Number(process.env["PROPOSALS"] ?? "100");
const clients = 16;
/** Longer than an idle connection keeps its statistics to itself. */
const settleMs = 11_000;

async function inParallel(one: () => Promise<unknown>): Promise<void> {
  let left = count;
  const client = async (): Promise<void> => {
    while (left-- > 0) await one();
  };
  await Promise.all(Array.from({ length: clients }, client));
}

const scale = (totals: Totals, by: number): Totals =>
  Object.fromEntries(Object.entries(totals).map(([name, total]) => [name, total * by]));

async function untilDecided(databaseUrl: string, agent: Agent): Promise<void> {
  await withClient(databaseUrl, (client) =>
    waitUntil(
      "every proposal has a verdict",
      async () => {
        const { rows } = await client.query<{ waiting: number }>(
          "select count(*)::int as waiting from transactions where account = $1 and orion is null",
          [agent.address.toLowerCase()],
        );
        if (rows[0]?.waiting !== 0) throw new Error("not yet");
      },
      { seconds: 300 },
    ),
  );
}

/** Waits long: on a busy machine an answer takes seconds, and a second POST would be a second proposal. */
async function post(api: string, key: string, body: object): Promise<void> {
  const answer = await fetch(`${api}/transactions`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": key },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(120_000),
  });
  if (answer.status !== 201) throw new Error(`a proposal was answered with ${answer.status}`);
  await answer.arrayBuffer();
}

/** Starts a stack and returns its meter, warmed up. */
export async function startCostMeter({ supervisor, dir }: Options): Promise<CostMeter> {
  let rpc: RpcCounter | undefined;
  const { urls, adminKey } = await startStack({
    supervisor,
    dir,
    chainUrlFor: async (anvilUrl) => {
      rpc = await startRpcCounter(anvilUrl);
      return rpc.url;
    },
    postgresSettings: [
      "shared_preload_libraries=pg_stat_statements",
      // Whole pages in the WAL depend on the time since the last checkpoint, not on the proposal.
      "full_page_writes=off",
    ],
  });
  await withClient(urls.postgres, (client) => client.query("create extension pg_stat_statements"));
  const agent = await signUpDirectUser(urls.api);
  const proposal = aProposal(agent.address);
  const propose = {
    unsealed: () => post(urls.api, adminKey, { ...proposal, encrypted: false }),
    standard: () => post(urls.api, agent.key, proposal),
  };
  const readTotals = makeTotals({ urls, pids: supervisor.pids, rpcCalls: () => rpc?.count() ?? 0 });
  const drive = async (form: Form): Promise<void> => {
    await inParallel(propose[form]);
    await untilDecided(urls.postgres, agent);
    await sleep(settleMs);
  };
  /** The totals of some work, and the seconds that it took. */
  const during = async (work: () => Promise<void>): Promise<{ spent: Totals; seconds: number }> => {
    const before = await readTotals();
    const began = performance.now();
    await work();
    const seconds = (performance.now() - began) / 1000;
    return { spent: minus(await readTotals(), before), seconds };
  };
  for (const form of forms) await drive(form);
  const resting = await during(() => sleep(settleMs));
  const idle = scale(resting.spent, 1 / resting.seconds);
  return {
    idle,
    measure: async (form) => {
      const { spent, seconds } = await during(() => drive(form));
      return scale(minus(spent, scale(idle, seconds)), 1 / count);
    },
    close: () => rpc?.close(),
  };
}
