// npm run admin -w apps/orion -- service register: registers this service in the ServiceRegistry, so that proposals
// are encrypted to its key and its verdicts count.
import { RegistrationRefused, registerService, type Registration } from "@countersign/contracts/deploy";
import { text, type Environment, loadConfig } from "@countersign/platform/config";
import { connectIpfs, ipfsSettings } from "@countersign/platform/ipfs";
import type { Log } from "@countersign/platform/log";
import { CannotStart } from "@countersign/platform/process";
import type { Hex } from "@countersign/wire";
import { Config } from "../config.ts";
import { makeKeyring } from "../keys/index.ts";

const RegistrationConfig = Config.extend({
  ...ipfsSettings(),
  SERVICE_REGISTRY_ADDRESS: text()
    .regex(/^0x[0-9a-fA-F]{40}$/, "must be an Ethereum address")
    .describe("The ServiceRegistry on the home chain."),
  REGISTRY_OWNER_PRIVATE_KEY: text()
    .regex(/^0x[0-9a-fA-F]{64}$/, "must be 32 bytes in hex, with 0x")
    .optional()
    .meta({ secret: true, description: "The key of the registry's owner. Without it nothing is sent." }),
});

type Parts = {
  readonly environment: Environment;
  readonly log: Log;
  readonly print: (line: string) => void;
};

/**
 * Returns false for an unknown action. Throws `ConfigError` or `CannotStart` for problems that the operator
 * has to fix.
 */
export async function manageService(
  { environment, log, print }: Parts,
  action: string | undefined,
): Promise<boolean> {
  if (action !== "register") return false;
  const config = loadConfig(RegistrationConfig, environment);
  const settings = { ...config, VERDICT_KEY_CREATE: false, PGP_KEY_CREATE: false };
  const { signer, unsealer } = await makeKeyring(settings, log).load();
  const { cid } = await connectIpfs(config)
    .pin(new TextEncoder().encode(unsealer.publicKey))
    .catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : "no reason given";
      throw new CannotStart(`The public key could not be stored on IPFS: ${reason}.`, { cause: error });
    });
  const keyUri = `ipfs://${cid}`;
  const registration = await registerService({
    ...{ rpcUrl: config.RPC_URL[0], chainId: config.HOME_CHAIN_ID, keyUri, inbox: signer.address },
    serviceRegistry: config.SERVICE_REGISTRY_ADDRESS as Hex,
    fingerprint: `0x${unsealer.fingerprint}`,
    ownerKey: config.REGISTRY_OWNER_PRIVATE_KEY as Hex | undefined,
  }).catch((error: unknown) => {
    throw error instanceof RegistrationRefused ? new CannotStart(error.message) : error;
  });
  print(`inbox address: ${signer.address}`);
  print(`OpenPGP fingerprint: ${unsealer.fingerprint}`);
  print(`public key: ${keyUri}`);
  for (const line of linesOf(registration, config.HOME_CHAIN_ID)) print(line);
  return true;
}

function linesOf(registration: Registration, chainId: number): readonly string[] {
  if (registration.kind === "prepared")
    return [
      "",
      "Nothing was sent: REGISTRY_OWNER_PRIVATE_KEY is not set. Send this from the registry's owner, then run the command again:",
      `  chain: ${chainId}`,
      `  from: ${registration.owner}`,
      `  to: ${registration.to}`,
      `  data: ${registration.data}`,
    ];
  const { id, isNew, isActive } = registration;
  return [
    isNew ? `Registered as service ${id}.` : `Already registered as service ${id}. Nothing was sent.`,
    ...(isActive
      ? []
      : [
          "The registry has it as inactive: no proposals are encrypted to it until its owner calls setActive.",
        ]),
  ];
}
