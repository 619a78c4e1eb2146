// Starts a chain with the world on it, and keeps it until Ctrl-C: node tools/world/main.ts [port] [chain id]
import { rmSync } from "node:fs";
import { makeSupervisor, startAnvil } from "../engines/index.ts";
import { makeTempDir } from "../testing/temp-dir.ts";
import { addresses, buildWorld, oddTokens } from "./index.ts";

const [port = 18_745, chainId = 1] = process.argv.slice(2).map(Number);
const dir = makeTempDir("world");
const supervisor = makeSupervisor({ logDir: dir });
const end = async (): Promise<void> => {
  await supervisor.stop();
  rmSync(dir, { recursive: true, force: true });
};
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    void end(); // The process ends when nothing is left to do.
  });

try {
  const anvil = await startAnvil({ supervisor, dir: `${dir}/anvil`, port, chainId });
  const { safe } = await buildWorld(anvil);
  console.table({ ...addresses, ...oddTokens, "a Safe of the first two accounts": safe });
  console.log(`chain ${chainId} at ${anvil.url}`);
} catch (error) {
  await end();
  throw error;
}
