import type { Clock } from "../clock.ts";
import type { Log } from "../log/index.ts";

/** Something the service leans on. Without a required one it is not ready; without another it is degraded. */
export type HealthCheck = {
  readonly name: string;
  readonly required: boolean;
  readonly run: () => Promise<unknown>;
};

type HealthReport = {
  readonly status: "ok" | "degraded";
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, "ok" | "failing">>;
  readonly uptimeSeconds: number;
  readonly timestamp: string;
};

export type Health = {
  readonly read: () => Promise<HealthReport>;
  readonly startDraining: () => void;
  readonly isDraining: () => boolean;
};

type Parts = { readonly checks: readonly HealthCheck[]; readonly clock: Clock; readonly log: Log };

const patienceMs = 3_000;
/** Probes come from many sides at once; one answer serves all that arrive within this time. */
const cacheMs = 1_000;

async function attempt({ name, run }: HealthCheck, log: Log): Promise<"ok" | "failing"> {
  const timeout = AbortSignal.timeout(patienceMs);
  const tooLate = new Promise<never>((_, reject) => {
    timeout.addEventListener("abort", () => {
      reject(new Error(`no answer in ${patienceMs} ms`));
    });
  });
  try {
    await Promise.race([run(), tooLate]);
    return "ok";
  } catch (error) {
    log.warn("a health check failed", { check: name, error });
    return "failing";
  }
}

export function makeHealth({ checks, clock, log }: Parts): Health {
  const startedAt = clock.now().getTime();
  let draining = false;
  let latest: { readonly at: number; readonly results: Promise<readonly ("ok" | "failing")[]> } | undefined;

  const results = (now: number): Promise<readonly ("ok" | "failing")[]> => {
    if (latest === undefined || now - latest.at >= cacheMs)
      latest = { at: now, results: Promise.all(checks.map((check) => attempt(check, log))) };
    return latest.results;
  };

  return {
    startDraining: () => {
      draining = true;
    },
    isDraining: () => draining,
    async read() {
      const now = clock.now();
      const outcomes = await results(now.getTime());
      return {
        status: outcomes.every((outcome) => outcome === "ok") ? "ok" : "degraded",
        ready: !draining && checks.every(({ required }, index) => !required || outcomes[index] === "ok"),
        checks: Object.fromEntries(checks.map(({ name }, index) => [name, outcomes[index] ?? "failing"])),
        uptimeSeconds: Math.floor((now.getTime() - startedAt) / 1000),
        timestamp: now.toISOString(),
      };
    },
  };
}
