// Sets up a development chain: the contracts, and the roles of the dev accounts.
import { join } from "node:path";
import { ensureDeployed, type Deployment } from "@countersign/contracts/deploy";
import { privateKeyToAccount } from "viem/accounts";
import { devAccounts, readChainId, type DevAccount } from "../engines/anvil.ts";

type Options = { readonly rpcUrl: string; readonly dataDir: string };

export const devChainId = 11_155_111;

/** Safe to repeat: what is there already stays as it is. */
export async function seed({ rpcUrl, dataDir }: Options): Promise<Deployment> {
  await checkIsDevChain(rpcUrl);
  const [deployer, registrar, recorder] = devAccounts() as [DevAccount, DevAccount, DevAccount];
  return ensureDeployed({
    file: join(dataDir, "contracts.json"),
    rpcUrl,
    deployer: privateKeyToAccount(deployer.privateKey),
    registrar: registrar.address,
    recorders: [recorder.address],
  });
}

/** The dev accounts' keys are known to everybody: contracts that obey them must never get onto a chain others use. */
export async function checkIsDevChain(rpcUrl: string): Promise<void> {
  const { hostname } = new URL(rpcUrl);
  if (!["127.0.0.1", "localhost", "[::1]"].includes(hostname))
    throw new Error(`Seeding is for a chain on this machine, and ${hostname} is not this machine.`);
  const chainId = await readChainId(rpcUrl);
  if (chainId !== devChainId)
    throw new Error(`Seeding is for the development chain ${devChainId}, and this one is ${chainId}.`);
}
