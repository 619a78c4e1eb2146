// The parts that can be killed, and how each is brought back.
import { fetchOk, waitUntil } from "../engines/wait.ts";
import type { Installation } from "./installation.ts";
import type { Kind } from "./members.ts";

export type Fault = {
  readonly name: string;
  /** Ends it with SIGKILL. */
  readonly kill: () => Promise<void>;
  /** Brings it back, as an operator or an orchestrator does. Returns once it is there. */
  readonly heal: () => Promise<void>;
};

/** Partitions that each node leads. A node that does not answer leads none. */
const readLeads = ({ restatePorts }: Installation): Promise<readonly number[]> =>
  Promise.all(
    restatePorts.map(async ({ node }) => {
      const text = await fetchOk(`http://127.0.0.1:${node}/metrics`)
        .then((answer) => answer.text())
        .catch(() => "");
      return Number(/^restate_num_active_partition_leaders\{[^}]*\} (\d+)/m.exec(text)?.[1] ?? 0);
    }),
  );

/** The primary is replaced by the supervision of the installation. The killed server returns as a standby. */
function killPrimary({ postgres, failovers }: Installation): Fault {
  let [killed, before] = [0, 0];
  return {
    name: "PostgreSQL primary",
    kill: async () => {
      [killed, before] = [postgres.primary(), failovers()];
      await postgres.kill(killed);
    },
    heal: async () => {
      await waitUntil("a standby is promoted", () => failovers() > before, { seconds: 120 });
      await postgres.rejoin(killed);
    },
  };
}

function killEngine(site: Installation, which: "leader" | "node"): Fault {
  let killed = 0;
  return {
    name: `Restate ${which}`,
    kill: async () => {
      const leads = await readLeads(site);
      const wanted = which === "leader" ? Math.max(...leads) : Math.min(...leads);
      killed = which === "leader" ? leads.indexOf(wanted) : leads.lastIndexOf(wanted);
      await site.restate.kill(killed);
    },
    heal: () => site.restate.start(killed),
  };
}

function killMember({ members }: Installation, kind: Kind, random: () => number): Fault {
  const all = members.filter((member) => member.kind === kind);
  let killed = all[0];
  return {
    name: kind,
    kill: async () => {
      killed = all[Math.floor(random() * all.length)];
      await killed?.kill();
    },
    heal: async () => killed?.start(),
  };
}

function killProvider({ providers }: Installation, random: () => number): Fault {
  let killed = providers[0];
  return {
    name: "RPC provider",
    kill: async () => {
      killed = providers[Math.floor(random() * providers.length)];
      await killed?.kill();
    },
    heal: async () => killed?.start(),
  };
}

/** One of each kind. */
export const listFaults = (site: Installation, random: () => number): readonly Fault[] => [
  killPrimary(site),
  killEngine(site, "node"),
  killEngine(site, "leader"),
  ...(["api", "worker", "orion", "validator"] as const).map((kind) => killMember(site, kind, random)),
  killProvider(site, random),
  { name: "Redis", kill: site.redis.kill, heal: site.redis.start },
];

function shuffle<T>(all: readonly T[], random: () => number): readonly T[] {
  const shuffled = [...all];
  for (let index = shuffled.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [shuffled[index], shuffled[other]] = [shuffled[other] as T, shuffled[index] as T];
  }
  return shuffled;
}

/** Each alone, then each two at once. */
export function listRounds(faults: readonly Fault[], random: () => number): readonly (readonly Fault[])[] {
  const pairs = faults.flatMap((one, index) => faults.slice(index + 1).map((other) => [one, other]));
  return [...shuffle(faults, random).map((fault) => [fault]), ...shuffle(pairs, random)];
}
