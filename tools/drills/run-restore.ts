// Loses the disks of the database and of the engine, and restores the database to an earlier moment. The chain and IPFS are
// outside, and keep what happened since.
import { execFile } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import { createCountersign, NotFoundError, type Countersign, type Receipt } from "@countersign/sdk";
import { fetchTrust, verifyReceipt, type Trust } from "@countersign/sdk/receipt";
import type { Hex } from "viem";
import { settingsOfApi } from "../dev/apps.ts";
import { root } from "../dev/options.ts";
import { backUpPostgres } from "../engines/postgres-backup.ts";
import { waitUntil } from "../engines/wait.ts";
import { makeTeller, type Kind, type Stage, type Teller, type Told, type View } from "../stage/index.ts";

type Options = { readonly stage: Stage; readonly print: (line: string) => void };

export type RestoreOutcome = {
  /** Everything that should not be. */
  readonly findings: readonly string[];
  /** How many were fetched before the restored moment. */
  readonly receipts: number;
  readonly report: string;
};

/** A proposal that was over before the restored moment. */
type Known = { readonly told: Told; readonly receipt: Receipt };

/** Proposals that were under way at the restored moment, by how far they were. */
type UnderWay = Readonly<Record<"pinned" | "awaiting" | "ready", Told>>;

const clientOf = ({ urls }: Stage, { owner }: Told): Countersign =>
  createCountersign({ url: urls.api, apiKey: owner.credentials().agent["x-api-key"] ?? "" });

const readReceipt = (stage: Stage, told: Told): Promise<Receipt> =>
  clientOf(stage, told).receipt(told.requestHash);

async function readView({ owner, requestHash }: Told): Promise<View | undefined> {
  return (await owner.list())?.find((view) => view.requestHash === requestHash);
}

const untilPhase = (told: Told, phase: string): Promise<unknown> =>
  waitUntil(`${told.requestHash} is ${phase}`, async () => (await readView(told))?.phase === phase, {
    seconds: 120,
  });

async function finish(teller: Teller, stage: Stage, kinds: readonly Kind[]): Promise<readonly Known[]> {
  const known: Known[] = [];
  for (const kind of kinds) {
    const told = await teller.tell(kind);
    known.push({ told, receipt: await readReceipt(stage, told) });
  }
  return known;
}

/** Leaves a proposal at each stage. The chain cannot be reached when the last one is to be registered there. */
async function leaveUnderWay(teller: Teller, { proxies }: Stage): Promise<UnderWay> {
  const awaiting = await teller.tell("user", { until: ({ phase }) => phase === "AWAITING" });
  const ready = await teller.tell("agent", { until: ({ phase }) => phase === "READY" });
  proxies.anvil.fail({ isDown: true });
  const pinned = await teller.tell("agent", { until: ({ phase }) => phase === "PINNED" });
  return { pinned, awaiting, ready };
}

type Later = {
  /** The transactions that executed what was under way. */
  readonly executed: ReadonlyMap<Told, Hex>;
  readonly later: readonly Told[];
};

/** Work after the restored moment. The chain keeps it. */
async function goOn(teller: Teller, { chain, proxies }: Stage, underWay: UnderWay): Promise<Later> {
  const { pinned, awaiting, ready } = underWay;
  proxies.anvil.fail();
  await awaiting.owner.decide(awaiting.requestHash, "APPROVED");
  const executed = new Map<Told, Hex>();
  for (const told of [awaiting, ready]) {
    await untilPhase(told, "READY");
    executed.set(told, await chain.send(told.owner.wallet, told.call));
    await untilPhase(told, "EXECUTED");
  }
  await untilPhase(pinned, "READY");
  const later = [await teller.tell("agent"), await teller.tell("user"), await teller.tell("direct")];
  return { executed, later };
}

async function readMoment({ query }: Stage): Promise<string> {
  const [row] = await query<{ now: string }>("select clock_timestamp()::text as now");
  if (row === undefined) throw new Error("the database returned no time");
  return row.now;
}

/** Returns once everything so far can be restored. Later work is lost with the disk. */
async function archiveLog({ query }: Stage): Promise<void> {
  const [row] = await query<{ file: string }>("select pg_walfile_name(pg_switch_wal()) as file");
  const isArchived = async (): Promise<boolean> => {
    const done = await query("select from pg_stat_archiver where last_archived_wal >= $1", [row?.file]);
    return done.length === 1;
  };
  await waitUntil("the log is archived", isArchived, { seconds: 60 });
}

/** The machine with the database, the engine and our services is gone. */
async function loseEverything({ actors, postgres, restate, dir }: Stage): Promise<void> {
  await Promise.all([actors.api.kill(), actors.orion.kill(), postgres.kill(), restate.kill()]);
  rmSync(postgres.cluster, { recursive: true });
  // Its key stays, as it is not in its data folder in production either.
  rmSync(join(dir.restate, "data"), { recursive: true });
}

async function restoreDatabase({ postgres, query }: Stage, moment: string): Promise<void> {
  await postgres.start(postgres.archive.restore(moment));
  const takesWrites = async (): Promise<boolean> =>
    (await query("select where not pg_is_in_recovery()")).length === 1;
  await waitUntil("the database takes writes", takesWrites, { seconds: 120 });
}

const run = promisify(execFile);

/** The commands of the runbook, as an operator reads them there. */
function readRunbook(): readonly (readonly string[])[] {
  const page = readFileSync(join(root, "docs/runbooks/restore.md"), "utf8");
  const lines = [...page.matchAll(/^ +npm run (.+)$/gm)].map(([, line = ""]) => line.split(" "));
  if (lines.length === 0) throw new Error("the runbook has no commands");
  return lines;
}

/** Starts everything with an empty engine, and follows the runbook. Returns what its last command printed. */
async function restoreServices(stage: Stage): Promise<string> {
  const { urls, actors, restate } = stage;
  await restate.start();
  await Promise.all([actors.api.start(), actors.orion.start()]);
  const settings = {
    PATH: process.env["PATH"],
    ...settingsOfApi(stage),
    ENGINE_ADMIN_URL: urls.restateAdmin,
  };
  let printed = "";
  for (const line of readRunbook()) {
    const workerUrl = line.includes("apps/orion") ? urls.orionWorker : urls.worker;
    // Not the synchronous form: the proxies between the services are in this process.
    const { stdout } = await run("npm", ["run", ...line], {
      ...{ cwd: root, env: { ...settings, WORKER_URL: workerUrl } },
    });
    printed = stdout;
  }
  return printed;
}

const findReceipts = async (
  stage: Stage,
  known: readonly Known[],
  trust: Trust,
): Promise<readonly string[]> =>
  (
    await Promise.all(
      known.map(async ({ told, receipt }) => {
        const { requestHash } = told;
        const again = await readReceipt(stage, told);
        const [before, after] = await Promise.all([receipt, again].map((one) => verifyReceipt(one, trust)));
        return [
          ...(before?.isValid === true ? [] : [`the receipt of ${requestHash} is not valid`]),
          ...(after?.isValid === true ? [] : [`the restored receipt of ${requestHash} is not valid`]),
          ...(isDeepStrictEqual(receipt, again) ? [] : [`the receipt of ${requestHash} has changed`]),
        ];
      }),
    )
  ).flat();

/** The rows of after the moment, in every table that says when a row was made. Read before any service runs. */
async function findLater({ query }: Stage, moment: string): Promise<readonly string[]> {
  const tables = await query<{ name: string }>(`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'created_at'`);
  if (tables.length < 10) throw new Error("the tables were not found");
  const later = await Promise.all(
    tables.map(async ({ name }) => ({
      name,
      rows: await query(`select from ${name} where created_at > $1::timestamptz`, [moment]),
    })),
  );
  return later.flatMap(({ name, rows }) =>
    rows.length === 0 ? [] : [`${name} has ${rows.length} rows of after the moment`],
  );
}

/** The service does not claim a proposal of after the moment in any answer. */
async function findClaimed(stage: Stage, told: Told): Promise<readonly string[]> {
  const client = clientOf(stage, told);
  const answers = await Promise.allSettled([
    client.transaction(told.requestHash),
    client.receipt(told.requestHash),
  ]);
  const isUnknown = answers.every(
    (answer) => answer.status === "rejected" && answer.reason instanceof NotFoundError,
  );
  const isListed = (await readView(told)) !== undefined;
  return isUnknown && !isListed ? [] : [`${told.requestHash} was proposed after the moment and is claimed`];
}

/** The decision of after the moment is not known any more, so the owner is asked again. */
async function findDecided(told: Told): Promise<readonly string[]> {
  const view = await readView(told);
  const isAsked = view?.phase === "AWAITING" && view.approvals.user.length === 0;
  return isAsked ? [] : [`${told.requestHash} waits for its owner no more: ${view?.phase ?? "unknown"}`];
}

/** Work that was under way ends as the chain says: what was executed is found there, and nothing is registered twice. */
async function findUnfinished(
  { chain, deployment, urls }: Stage,
  { pinned, ready }: UnderWay,
  executed: ReadonlyMap<Told, Hex>,
): Promise<readonly string[]> {
  await untilPhase(pinned, "READY");
  await untilPhase(ready, "EXECUTED");
  const view = await readView(ready);
  const recorded = (await chain.listRecorded(deployment.inbox, urls.ipfs)).get(pinned.requestHash);
  return [
    ...(view?.transactionHash === executed.get(ready)
      ? []
      : [`${ready.requestHash} was executed by another transaction`]),
    ...(recorded === 1 ? [] : [`${pinned.requestHash} was registered ${recorded ?? 0} times`]),
  ];
}

const secondsSince = (since: number): number => (performance.now() - since) / 1000;

export async function runRestore({ stage, print }: Options): Promise<RestoreOutcome> {
  const { chain, postgres, urls, deployment } = stage;
  const teller = makeTeller(stage);
  chain.mineEvery(200);
  const early = await finish(teller, stage, ["direct"]);
  await backUpPostgres({
    ...{ url: urls.postgres, from: postgres.cluster, to: postgres.archive.backup, isArchived: true },
  });
  const known = [...early, ...(await finish(teller, stage, ["user", "agent", "rejected"]))];
  const underWay = await leaveUnderWay(teller, stage);
  const moment = await readMoment(stage);
  print(`the moment to restore: ${moment}`);
  const { executed, later } = await goOn(teller, stage, underWay);
  await archiveLog(stage);
  const trust = await fetchTrust({
    ...{ rpcUrl: urls.anvil, serviceRegistry: deployment.serviceRegistry, inbox: deployment.inbox },
  });

  await loseEverything(stage);
  const since = performance.now();
  await restoreDatabase(stage, moment);
  const databaseSeconds = secondsSince(since);
  const rows = await findLater(stage, moment);
  print(await restoreServices(stage));
  const [one] = known;
  if (one === undefined) throw new Error("nothing is known");
  await waitUntil("the service answers", () => readView(one.told), { seconds: 120 });
  const serviceSeconds = secondsSince(since);
  const findings = [
    ...rows,
    ...(await findReceipts(stage, known, trust)),
    ...(await Promise.all(later.map((told) => findClaimed(stage, told)))).flat(),
    ...(await findDecided(underWay.awaiting)),
    ...(await findUnfinished(stage, underWay, executed)),
  ];
  const workSeconds = secondsSince(since);
  // To the end, with nonces that the restored database does not know.
  await teller.tell("agent");
  const report = [
    `${known.length} receipts of before the moment, ${later.length} proposals of after it, ${Object.keys(underWay).length} under way`,
    `database restored after ${databaseSeconds.toFixed(1)} s, service after ${serviceSeconds.toFixed(1)} s, work under way after ${workSeconds.toFixed(1)} s`,
    `${findings.length} findings`,
    ...findings.map((finding) => `found: ${finding}`),
  ].join("\n");
  return { findings, receipts: known.length, report };
}
