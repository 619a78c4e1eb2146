// Proposals driven to their verdict by the whole stack, against an engine that drives as many steps of nothing.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { registerFlows } from "@countersign/platform/engine";
import { fetchOk, freePorts, waitUntil, type Supervisor } from "../engines/index.ts";
import { signUpDirectUser, startStack, type Running } from "./bench-stack.ts";
import { aProposal, call, type Agent } from "./bench-transactions-stage.ts";
import { compare, type Comparison } from "./ratio.ts";

type Options = { readonly supervisor: Supervisor; readonly dir: string };

const count = 40;
const clients = 8;

async function inParallel(one: () => Promise<unknown>): Promise<void> {
  let left = count;
  const client = async (): Promise<void> => {
    while (left-- > 0) await one();
  };
  await Promise.all(Array.from({ length: clients }, client));
}

const perSecond = async (work: () => Promise<void>): Promise<number> => {
  const began = performance.now();
  await work();
  return (count * 1000) / (performance.now() - began);
};

/** Proposes so many, and is done when there is a verdict about each. */
function driving({ urls }: Running, agent: Agent, propose: () => Promise<unknown>): () => Promise<number> {
  const undecided = async (client: pg.Client): Promise<number> => {
    const { rows } = await client.query<{ waiting: number }>(
      "select count(*)::int as waiting from transactions where account = $1 and orion is null",
      [agent.address.toLowerCase()],
    );
    return rows[0]?.waiting ?? 0;
  };
  return () =>
    perSecond(async () => {
      const client = new pg.Client({ connectionString: urls.postgres });
      await client.connect();
      await inParallel(propose);
      await waitUntil(
        "every proposal has a verdict",
        async () => {
          if ((await undecided(client)) > 0) throw new Error("not yet");
        },
        { seconds: 120 },
      );
      await client.end();
    });
}

/** The engine on its own. */
async function startIdle({ urls }: Running, { supervisor, dir }: Options) {
  const [port = 0] = await freePorts(1);
  supervisor.start({
    name: "idle-flow",
    command: process.execPath,
    args: [join(import.meta.dirname, "empty-flow-server.ts"), String(port)],
    cwd: dir,
  });
  const place = { adminUrl: urls.restateAdmin, workerUrl: `http://127.0.0.1:${port}`, force: true };
  await waitUntil("the idle flow is registered", () => registerFlows(place), { seconds: 60 });
  return (steps: number) => () =>
    perSecond(() =>
      inParallel(() =>
        fetchOk(`${urls.restateIngress}/Idle/${randomBytes(8).toString("hex")}/run`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ steps }),
        }),
      ),
    );
}

/**
 * Steps in the journals of both flows until the verdict is there. The api's: look; for the public trace also register and nudge.
 * Orion's: note the time, verify and post. The proposals of a moment share them.
 */
const stepsOf = { unsealed: 3, standard: 5 };

export async function benchVerdictFlow(options: Options): Promise<Readonly<Record<string, Comparison>>> {
  const running = await startStack(options);
  const idle = await startIdle(running, options);
  const { urls, adminKey } = running;
  const agent = await signUpDirectUser(urls.api);
  const proposal = aProposal(agent.address);
  const proposing = (key: string, body: object) => () =>
    call(`${urls.api}/transactions`, { "x-api-key": key }, body);
  const drives = {
    unsealed: driving(running, agent, proposing(adminKey, { ...proposal, encrypted: false })),
    standard: driving(running, agent, proposing(agent.key, proposal)),
  };
  const table: Record<string, Comparison> = {};
  for (const form of ["unsealed", "standard"] as const) {
    await drives[form]();
    await idle(stepsOf[form])();
    table[
      `${form} proposal to its verdict ÷ a Restate workflow of ${stepsOf[form]} empty steps (per second)`
    ] = await compare(3, drives[form], idle(stepsOf[form]));
  }
  return table;
}
