// Reads the totals of everything that a proposal uses: the database, the engine, the chain, and the CPU of each process.
import { readdirSync, readFileSync } from "node:fs";
import type { StackUrls } from "../dev/parts.ts";
import { fetchOk, withClient } from "../engines/index.ts";

/** Totals since the start. The difference of two is the cost of what happened in between. */
export type Totals = Readonly<Record<string, number>>;

type Sources = {
  readonly urls: StackUrls;
  readonly pids: () => Readonly<Record<string, number>>;
  readonly rpcCalls: () => number;
};

const millisecondsPerTick = 10;
const measured = ["api", "orion", "postgres", "restate", "validator", "ipfs", "anvil"];

type Stat = { readonly parent: number; readonly ticks: number };

/** Includes children that have ended. Undefined if the process has ended. */
function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may contain spaces.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    return undefined;
  }
}

/** CPU milliseconds of a process and its children. PostgreSQL and the validator have some. */
export function cpuOf(pid: number): number {
  const stats = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), stat: readStat(Number(name)) }));
  return stats
    .filter(({ pid: own, stat }) => own === pid || stat?.parent === pid)
    .reduce((sum, { stat }) => sum + (stat?.ticks ?? 0) * millisecondsPerTick, 0);
}

function readCpu(pids: Readonly<Record<string, number>>): Totals {
  const each = measured.map((name) => [`CPU ${name}, ms`, cpuOf(pids[name] ?? -1)] as const);
  const all = each.reduce((sum, [, ms]) => sum + ms, 0);
  return { "CPU, ms": all, ...Object.fromEntries(each) };
}

/** The database's own statistics. An idle connection reports its commits only after ten seconds. */
async function readDatabase(url: string): Promise<Totals> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<Record<string, string>>(`
      select d.xact_commit as commits, pg_snapshot_xmax(pg_current_snapshot())::text as writing,
        (select sum(calls) from pg_stat_statements s where s.dbid = d.datid and query !~* '^(begin|commit|rollback)')
          as statements,
        (select sum(wal_bytes) from pg_stat_statements s where s.dbid = d.datid) as written,
        pg_current_wal_insert_lsn() - '0/0' as wal
      from pg_stat_database d where datname = current_database()`);
    const { commits, writing, statements, written, wal } = rows[0] ?? {};
    return {
      commits: Number(commits),
      "commits that write": Number(writing),
      statements: Number(statements),
      "WAL, bytes": Number(wal),
      // Without what the server writes itself, above all its vacuum, whose time is chance.
      "WAL of statements, bytes": Number(written),
    };
  });
}

async function readEngine(adminUrl: string): Promise<Totals> {
  const ask = async (query: string): Promise<number> => {
    const answer = await fetchOk(`${adminUrl}/query`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ query }),
    });
    const { rows } = (await answer.json()) as { rows: readonly { readonly n: number }[] };
    return rows[0]?.n ?? 0;
  };
  return {
    "engine entries": await ask("select count(*) as n from sys_journal"),
    "engine invocations": await ask("select count(*) as n from sys_invocation"),
  };
}

type Block = { readonly number: string; readonly gasUsed: string; readonly transactions: readonly string[] };

/** Sums the gas of all blocks, each read once. */
function makeGasMeter(anvilUrl: string): () => Promise<Totals> {
  let [next, gas, transactions] = [0, 0, 0];
  const block = async (tag: string): Promise<Block> => {
    const answer = await fetchOk(anvilUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_getBlockByNumber", params: [tag, false] }),
    });
    return ((await answer.json()) as { result: Block }).result;
  };
  return async () => {
    const last = Number((await block("latest")).number);
    for (; next <= last; next++) {
      const found = await block(`0x${next.toString(16)}`);
      gas += Number(found.gasUsed);
      transactions += found.transactions.length;
    }
    return { gas, "chain transactions": transactions };
  };
}

/** Returns a function that reads all totals. It reads nothing through the services that it measures. */
export function makeTotals({ urls, pids, rpcCalls }: Sources): () => Promise<Totals> {
  const readGas = makeGasMeter(urls.anvil);
  return async () => {
    const rpc = rpcCalls();
    const cpu = readCpu(pids());
    return {
      ...(await readDatabase(urls.postgres)),
      ...(await readEngine(urls.restateAdmin)),
      "RPC calls": rpc,
      ...(await readGas()),
      ...cpu,
    };
  };
}

export const minus = (after: Totals, before: Totals): Totals =>
  Object.fromEntries(Object.entries(after).map(([name, total]) => [name, total - (before[name] ?? 0)]));
