// A second chain with the id of Ethereum and the real contracts of tools/world, and the simulator with nodes for it.
import { startSimulator } from "../dev/apps.ts";
import type { StackUrls } from "../dev/parts.ts";
import { startAnvil } from "../engines/anvil.ts";
import { buildWorld } from "../world/index.ts";
import type { Environment, Ground } from "./ground.ts";

const chainId = 1;

export type StageWorld = Awaited<ReturnType<typeof buildWorld>> & { readonly url: string };

/** Budgets that no test meets by accident on a busy machine. */
const simulatorSettings: Environment = {
  MIN_NODES: "2",
  ...{ RPC_TIMEOUT_MS: "30000", CAPTURE_TIMEOUT_MS: "60000", CAPTURE_CPU_MS: "20000" },
  ...{ SECOND_ENGINE_CPU_MS: "20000", SECOND_ENGINE_TIMEOUT_MS: "60000" },
};

/** Returns once the contracts are there and the simulator is ready. It reads one node at two addresses. */
export async function startWorld({ supervisor, dir, ports, urls }: Ground): Promise<StageWorld> {
  const { url } = await startAnvil({ supervisor, dir: dir.world, port: ports.world, chainId, name: "world" });
  const built = await buildWorld({ url });
  const nodes = `${chainId}=${url},${chainId}=${url}/`;
  await startSimulator({ supervisor, urls, env: { ...simulatorSettings, RPC_URLS: nodes } });
  return { ...built, url };
}

type Neighbours = { readonly homeNode: string; readonly urls: StackUrls };

/** The settings with which the services know this chain and the simulator. */
export const settingsWith = ({ url }: StageWorld, { homeNode, urls }: Neighbours) =>
  ({
    api: { RPC_URLS: `${homeNode},${chainId}=${url}` },
    orion: {
      SIMULATOR_URL: urls.simulator,
      ...{ SIMULATOR_TIMEOUT_MS: "90000", VALIDATOR_TIMEOUT_MS: "60000" },
    },
    validator: { VALIDATE_CPU_MS: "5000", SIMULATE_CPU_MS: "20000" },
  }) as const satisfies Readonly<Record<string, Environment>>;
