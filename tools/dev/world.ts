// A second chain with the id of Ethereum and real contracts, so that swaps and attacks can be tried and are simulated.
import { rmSync } from "node:fs";
import { startAnvil } from "../engines/anvil.ts";
import type { Supervisor } from "../engines/supervisor.ts";
import type { DataDir } from "./data-dir.ts";
import type { StackPorts } from "./ports.ts";

type Options = { readonly supervisor: Supervisor; readonly dir: DataDir; readonly ports: StackPorts };

/** The node of the chain for `RPC_URLS`, or none if the world could not be built. */
export type DevWorld = { readonly nodes: readonly string[]; readonly status: string };

const chainId = 1;
/** Seconds. The validator refuses states that are ten minutes old. */
const blockTime = 2;

/**
 * Builds the world on an empty chain. The first build on a machine fetches packages from the registry; without it the stack
 * starts without the world.
 */
export async function startWorld({ supervisor, dir, ports }: Options): Promise<DevWorld> {
  // Contracts cannot be placed a second time.
  rmSync(dir.world, { recursive: true, force: true });
  // Loaded late, as is everything that knows the chain.
  const { buildWorld, fetchPackages } = await import("../world/index.ts");
  try {
    await fetchPackages();
  } catch {
    return { nodes: [], status: "not started: the registry could not be reached" };
  }
  const { url } = await startAnvil({ supervisor, dir: dir.world, port: ports.world, chainId, name: "world" });
  await buildWorld({ url });
  const { createTestClient, http } = await import("viem");
  await createTestClient({ mode: "anvil", transport: http(url) }).setIntervalMining({ interval: blockTime });
  return { nodes: [`${chainId}=${url}`], status: `chain ${chainId}, real contracts` };
}
