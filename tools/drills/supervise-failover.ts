// Watches the primary, as Patroni or a cloud's database service does, and promotes a standby when it is gone.
import { startRounds } from "@countersign/platform/rounds";
import pg from "pg";
import type { ReplicatedPostgres } from "../engines/replicated-postgres.ts";

const lookEveryMs = 250;
/** Of one question. A busy machine answers late, so one late answer is not enough. */
const answerMs = 2_000;
const missesAtMost = 2;

async function doesAnswer(url: string): Promise<boolean> {
  const client = new pg.Client({
    ...{ connectionString: url, connectionTimeoutMillis: answerMs, query_timeout: answerMs },
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** While a server is a copy in the making, there is none to promote: the next round tries again. */
export function superviseFailover(servers: ReplicatedPostgres): {
  readonly count: () => number;
  readonly stop: () => Promise<void>;
} {
  let misses = 0;
  let count = 0;
  const { stop } = startRounds({
    everyMs: lookEveryMs,
    run: async () => {
      misses = (await doesAnswer(servers.urlOf(servers.primary(), "postgres"))) ? 0 : misses + 1;
      if (misses < missesAtMost) return;
      await servers.failOver();
      [misses, count] = [0, count + 1];
    },
    onError: () => undefined,
  });
  return { count: () => count, stop };
}
