// The system that examples run against.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { openDataDir } from "../dev/data-dir.ts";
import { portCount, portsFrom } from "../dev/ports.ts";
import { findRunningStack } from "../dev/stack-file.ts";
import { startStack } from "../dev/stack.ts";
import { startWorld } from "../dev/world.ts";
import type { System } from "../docs/index.ts";
import { freePortRange, makeSupervisor } from "../engines/index.ts";
import { makeTempDir } from "../testing/temp-dir.ts";

/** The addresses of a system, as examples read them from the environment. */
export function environmentOf({ stackFile, urls }: System): Readonly<Record<string, string | undefined>> {
  const { inbox, serviceRegistry } = findRunningStack(stackFile)?.contracts ?? {};
  return {
    COUNTERSIGN_STACK: stackFile,
    COUNTERSIGN_URL: urls.api,
    COUNTERSIGN_VALIDATOR_URL: urls.validator,
    COUNTERSIGN_RPC_URL: urls.anvil,
    COUNTERSIGN_WORLD_RPC_URL: urls.world,
    COUNTERSIGN_CUSTODIAN_URL: urls.custodian,
    COUNTERSIGN_INBOX: inbox,
    COUNTERSIGN_SERVICE_REGISTRY: serviceRegistry,
  };
}

/** Starts a system in an empty folder, and removes it afterwards. */
export async function withOwnSystem<Result>(use: (system: System) => Promise<Result>): Promise<Result> {
  const dataDir = makeTempDir("examples");
  const ports = portsFrom(String(await freePortRange(portCount)));
  const stack = await startStack({ dataDir, ports, fresh: false });
  // Only the chain: without a simulator, verdicts about it do not depend on what accounts hold there.
  const supervisor = makeSupervisor({ logDir: dataDir });
  try {
    await startWorld({ supervisor, dir: openDataDir(dataDir), ports });
    return await use({ stackFile: join(dataDir, "stack.json"), urls: stack.urls });
  } finally {
    await supervisor.stop();
    await stack.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
