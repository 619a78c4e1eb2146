// Replaces every process of an installation by one of another checkout, as the guide says: a new one joins, old and new serve
// side by side, and an old one leaves its load balancer before it is stopped.
import { setTimeout as sleep } from "node:timers/promises";
import { fetchOk, waitUntil } from "../engines/wait.ts";
import { startBalancer, type Balancer } from "./balancer.ts";
import type { Window } from "./figures.ts";
import type { Installation } from "./installation.ts";
import type { Kind, Member } from "./members.ts";

/** Those that are called before those that call; the API, which makes new kinds of work, last. */
const order = ["validator", "orion", "worker", "api"] as const satisfies readonly Kind[];

/** The listeners through which the engine reaches processes with flows. */
const flowPorts = { validator: undefined, orion: 1, worker: 0, api: undefined } as const;

/** The load balancers of flows. A new version of the flows has an address of its own. */
type FlowBalancers = Readonly<Record<"orion" | "worker", Balancer>>;

/** One version of all processes. */
type Fleet = { readonly members: readonly Member[]; readonly flows: FlowBalancers };

type Options = {
  readonly site: Installation;
  readonly fleet: Fleet;
  /** The code of the new processes. */
  readonly checkout: string;
  readonly print: (line: string) => void;
};

/** A load balancer looks a few times a second. */
const noticeMs = 1_000;

/** Work that the deployment has begun and not ended. */
async function countOpen({ urls }: Installation, deployment: string): Promise<number> {
  const query = `select count(*) as n from sys_invocation where pinned_deployment_id = '${deployment}' and status <> 'completed'`;
  const answer = await fetchOk(`${urls.restateAdmin}/query`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ query }),
  });
  const { rows } = (await answer.json()) as { readonly rows: readonly { readonly n: number }[] };
  return rows[0]?.n ?? 0;
}

/** From now on new work goes to the new address. Returns once the old one has no work. */
async function moveFlows(site: Installation, from: Balancer, to: Balancer): Promise<void> {
  const old = await site.register(from.url);
  await site.register(to.url);
  await waitUntil(
    "the old address has no work",
    async () => {
      const open = await countOpen(site, old);
      if (open > 0) throw new Error(`${open} are open`);
    },
    { seconds: 180 },
  );
}

/** Returns the new processes and, if the engine calls them, their load balancer. */
async function replaceKind({ site, fleet, checkout }: Options, kind: Kind) {
  const leaving = fleet.members.filter((member) => member.kind === kind);
  const serving = [...leaving];
  const joined: Member[] = [];
  const flowPort = flowPorts[kind];
  // The address of old flows stays with old processes.
  const balancer = kind === "worker" ? fleet.flows.worker : site.balancers[kind];
  const route = (): void => {
    const isFlows = kind === "worker";
    balancer.setTargets(
      (isFlows ? serving.filter((member) => leaving.includes(member)) : serving).map(({ ports }) => ports[0]),
    );
  };
  const leave = async (old: Member): Promise<void> => {
    serving.splice(serving.indexOf(old), 1);
    route();
    await sleep(noticeMs);
    await old.stop();
  };
  for (const old of leaving) {
    const member = await site.makeMember(kind, `${old.name}+`);
    await member.start(checkout);
    joined.push(member);
    serving.push(member);
    route();
    await sleep(noticeMs);
    if (flowPort === undefined) await leave(old);
  }
  if (flowPort === undefined || (kind !== "orion" && kind !== "worker")) return { joined, flows: {} };
  const flows = await startBalancer({ targets: joined.map(({ ports }) => ports[flowPort]) });
  await moveFlows(site, fleet.flows[kind], flows);
  for (const old of leaving) await leave(old);
  return { joined, flows: { [kind]: flows } };
}

/** Returns the new version, with the time in which each kind was replaced. */
export async function replaceAll(options: Options): Promise<Fleet & { readonly windows: readonly Window[] }> {
  const members: Member[] = [];
  const windows: Window[] = [];
  let { flows } = options.fleet;
  for (const kind of order) {
    const from = performance.now();
    const replaced = await replaceKind(options, kind);
    members.push(...replaced.joined);
    flows = { ...flows, ...replaced.flows };
    windows.push({ name: kind, from, to: performance.now() });
    options.print(`${kind}: replaced in ${((performance.now() - from) / 1000).toFixed(0)} s`);
  }
  return { members, flows, windows };
}
