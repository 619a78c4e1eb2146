// The operator's command: deploys the contracts to the chain behind RPC_URL, once, and prints where they are.
import { join } from "node:path";
import { BaseError, createPublicClient, http } from "viem";
import { readDeployConfig } from "./config.ts";
import { ensureDeployed, renderDeployment } from "./deploy.ts";

// viem's long message quotes the RPC address, which often carries the operator's access key.
const describe = (error: unknown): string =>
  error instanceof BaseError ? `${error.shortMessage} ${error.details}` : String(error);

try {
  const { file, ...options } = readDeployConfig(process.env);
  const chainId = await createPublicClient({ transport: http(options.rpcUrl) }).getChainId();
  const deployment = await ensureDeployed({
    ...options,
    file: file ?? join(import.meta.dirname, "..", "deployments", `${chainId}.json`),
  });
  process.stdout.write(renderDeployment(deployment));
} catch (error) {
  console.error(describe(error));
  process.exitCode = 1;
}
