// Sets up the chain and IPFS for our services: contracts, roles, the verification service.
import type { Deployment } from "@countersign/contracts/deploy";
import { seedService } from "../seed/seed-service.ts";
import { seed } from "../seed/seed.ts";
import type { DataDir } from "./data-dir.ts";
import { ensureOrionKeys } from "./orion-keys.ts";
import type { StackUrls } from "./parts.ts";

type Options = { readonly urls: Pick<StackUrls, "anvil" | "ipfs">; readonly dir: DataDir };

/** Safe to repeat: what is there already stays as it is. */
export async function seedStack({
  urls: { anvil: rpcUrl, ipfs: ipfsUrl },
  dir,
}: Options): Promise<Deployment> {
  const [deployment, keys] = await Promise.all([
    seed({ rpcUrl, dataDir: dir.path }),
    ensureOrionKeys(dir.orion),
  ]);
  await seedService({ rpcUrl, ipfsUrl, deployment, ...keys });
  return deployment;
}
