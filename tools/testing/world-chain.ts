// A chain of its own with the real contracts of tools/world, for one test file.
import { rmSync } from "node:fs";
import { startAnvil } from "../engines/anvil.ts";
import { makeSupervisor } from "../engines/supervisor.ts";
import { buildWorld } from "../world/index.ts";
import { freePorts } from "./index.ts";
import { makeTempDir } from "./temp-dir.ts";

export type WorldChain = { readonly url: string; readonly stop: () => Promise<void> };

/** Starts the chain. It has the id of Ethereum. */
export async function startWorldChain(): Promise<WorldChain> {
  const dir = makeTempDir("world-chain");
  const supervisor = makeSupervisor({ logDir: dir });
  const [port = 0] = await freePorts(1);
  const { url } = await startAnvil({ supervisor, dir: `${dir}/anvil`, port, chainId: 1 });
  await buildWorld({ url });
  return {
    url,
    stop: async () => {
      await supervisor.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
