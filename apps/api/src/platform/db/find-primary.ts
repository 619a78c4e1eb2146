// Which of several PostgreSQL servers takes writes. After a failover that is another one than before.
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** The role that a server reports. A promotion begins a new timeline, so of two primaries the later one has the higher number. */
export type Role = { readonly isPrimary: boolean; readonly timeline: number };

export type PrimaryFinder = {
  /** Returns the URL of the primary's host. Waits a few seconds for one. */
  readonly find: () => Promise<string>;
  /**
   * Throws if the server of a new connection is not the primary, or is one that another has replaced. The next search
   * then asks all hosts again.
   */
  readonly check: (role: Role) => void;
  /** The primary could not be reached. */
  readonly forget: () => void;
};

type Options = {
  readonly urls: readonly string[];
  readonly askRole?: (url: string) => Promise<Role>;
  readonly patienceMs?: number;
};

const pauseMs = 200;
/** Of one server. One that is gone without a word must not delay the search. */
const answerMs = 1_000;

export const roleQuery = `
  select not pg_is_in_recovery() as "isPrimary",
    case when pg_is_in_recovery() then 0
      else ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int end as timeline`;

async function askServer(url: string): Promise<Role> {
  const client = new pg.Client({
    ...{ connectionString: url, connectionTimeoutMillis: answerMs, query_timeout: answerMs },
    application_name: "countersign-search",
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Role>(roleQuery);
    return rows[0] ?? { isPrimary: false, timeline: 0 };
  } finally {
    // Its answer is not waited for: the server may be hanging.
    void client.end().catch(() => undefined);
  }
}

/** Waiting does not help: a wrong user or password, or no such database. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && "code" in error && /^(?:28|3D)/.test(String(error.code));

/** Throws a refusal if every host that answers refuses us. A new database reaches standbys after the primary. */
function refuseIfNoneAccepts(answers: readonly PromiseSettledResult<unknown>[]): void {
  if (answers.some(({ status }) => status === "fulfilled")) return;
  for (const answer of answers)
    if (answer.status === "rejected" && isRefusal(answer.reason)) throw answer.reason;
}

export class NoPrimary extends Error {}

export function makePrimaryFinder({ urls, askRole = askServer, patienceMs = 4_000 }: Options): PrimaryFinder {
  let known: Promise<string> | undefined;
  let newest = 0;

  const askAll = async (): Promise<string | undefined> => {
    const answers = await Promise.allSettled(urls.map(async (url) => ({ url, role: await askRole(url) })));
    const primaries = answers
      .flatMap((answer) =>
        answer.status === "fulfilled" && answer.value.role.isPrimary ? [answer.value] : [],
      )
      .filter(({ role }) => role.timeline >= newest)
      .toSorted((one, other) => other.role.timeline - one.role.timeline);
    const [first] = primaries;
    if (first === undefined) refuseIfNoneAccepts(answers);
    else newest = first.role.timeline;
    return first?.url;
  };
  const search = async (): Promise<string> => {
    const limit = performance.now() + patienceMs;
    for (;;) {
      const found = await askAll();
      if (found !== undefined) return found;
      if (performance.now() > limit) throw new NoPrimary("None of the database's hosts is a primary.");
      await sleep(pauseMs);
    }
  };
  const forget = (): void => {
    known = undefined;
  };
  return {
    forget,
    find: () => {
      known ??= search().catch((error: unknown) => {
        forget();
        throw error;
      });
      return known;
    },
    check: ({ isPrimary, timeline }) => {
      if (isPrimary && timeline >= newest) {
        newest = timeline;
        return;
      }
      forget();
      throw new NoPrimary("The database's host is not the primary any more.");
    },
  };
}
