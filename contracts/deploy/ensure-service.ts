// Registers a verification service on the ServiceRegistry, or updates its key there.
import type { Account, Address, Hex } from "viem";
import { createWalletClient, http, publicActions } from "viem";
import { serviceRegistryAbi } from "../abi/index.ts";
import { receiptOf } from "./receipt-of.ts";

type ServiceOptions = {
  rpcUrl: string;
  /** Owns the registry. */
  owner: Account;
  serviceRegistry: Address;
  /** The service's Ethereum address, which its verdicts are signed by. */
  inbox: Address;
  /** Of its OpenPGP key. */
  fingerprint: Hex;
  /** Where that key is found. */
  keyUri: string;
};

const pollingInterval = 500;

/**
 * Returns the service's id once the registry has it with this key. Safe to repeat: an existing entry is not sent again. It
 * does not change whether the service is active, since the owner may have deactivated it on purpose.
 */
export async function ensureService(options: ServiceOptions): Promise<number> {
  const { rpcUrl, owner, serviceRegistry: address, inbox, fingerprint, keyUri } = options;
  const client = createWalletClient({ account: owner, transport: http(rpcUrl), pollingInterval }).extend(
    publicActions,
  );
  const registry = { address, abi: serviceRegistryAbi } as const;
  const findId = (): Promise<bigint> =>
    client.readContract({ ...registry, functionName: "idOfInbox", args: [inbox] });
  const confirm = async (hash: Hex): Promise<void> => {
    const { status } = await receiptOf(client, hash);
    if (status !== "success") throw new Error(`The registration ${hash} was reverted.`);
  };

  const id = await findId();
  if (id === 0n) {
    const args = [inbox, fingerprint, keyUri] as const;
    await confirm(await client.writeContract({ ...registry, chain: null, functionName: "register", args }));
    return Number(await findId());
  }
  const standing = await client.readContract({ ...registry, functionName: "serviceOf", args: [id] });
  if (standing.fingerprint !== fingerprint.toLowerCase() || standing.keyUri !== keyUri) {
    const args = [id, fingerprint, keyUri] as const;
    await confirm(await client.writeContract({ ...registry, chain: null, functionName: "updateKey", args }));
  }
  return Number(id);
}
