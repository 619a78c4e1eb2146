// Registers a verification service with the ServiceRegistry, or prepares the transaction for an owner whose key is elsewhere.
import {
  BaseError,
  createPublicClient,
  encodeFunctionData,
  http,
  isAddressEqual,
  type Address,
  type Hex,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { serviceRegistryAbi } from "../abi/index.ts";
import { ensureService } from "./ensure-service.ts";

type ServiceToRegister = {
  readonly rpcUrl: string;
  /** The chain that the node must serve. */
  readonly chainId: number;
  readonly serviceRegistry: Address;
  /** The address that the service signs its verdicts with. */
  readonly inbox: Address;
  /** Of its OpenPGP key: hex with 0x. */
  readonly fingerprint: Hex;
  readonly keyUri: string;
  /** Of the registry's owner. Without it nothing is sent. */
  readonly ownerKey?: Hex | undefined;
};

export type Registration =
  | {
      readonly kind: "registered";
      readonly id: number;
      readonly isActive: boolean;
      /** False if the registry had exactly this already. */
      readonly isNew: boolean;
    }
  | {
      /** To be sent by the owner's own wallet. */
      readonly kind: "prepared";
      readonly owner: Address;
      readonly to: Address;
      readonly data: Hex;
    };

/** An error that the operator can fix; its message is one sentence. */
export class RegistrationRefused extends Error {
  override readonly name = "RegistrationRefused";
}

/** Idempotent. Throws `RegistrationRefused` for everything the operator can act on. */
export async function registerService(options: ServiceToRegister): Promise<Registration> {
  try {
    return await register(options);
  } catch (error) {
    // viem's long message quotes the node's address, which may hold an access key.
    if (error instanceof BaseError)
      throw new RegistrationRefused(`The home chain could not be used: ${error.shortMessage}`);
    throw error;
  }
}

async function register(options: ServiceToRegister): Promise<Registration> {
  const { rpcUrl, serviceRegistry: address, ownerKey } = options;
  const client = createPublicClient({ transport: http(rpcUrl, { retryCount: 1, timeout: 10_000 }) });
  const registry = { address, abi: serviceRegistryAbi } as const;
  const served = await client.getChainId();
  if (served !== options.chainId)
    throw new RegistrationRefused(`The node serves chain ${served}, not the home chain ${options.chainId}.`);
  if ((await client.getCode({ address })) === undefined)
    throw new RegistrationRefused(`There is no contract at ${address} on chain ${served}.`);
  const owner = await client.readContract({ ...registry, functionName: "owner" });
  const before = await find(options);
  if (before !== undefined && !before.isDifferent)
    return { kind: "registered", id: before.id, isActive: before.isActive, isNew: false };
  if (ownerKey === undefined) return { kind: "prepared", owner, to: address, data: callOf(options, before) };
  const account = privateKeyToAccount(ownerKey);
  if (!isAddressEqual(account.address, owner))
    throw new RegistrationRefused(
      `The registry belongs to ${owner}, and the key given is that of ${account.address}.`,
    );
  const id = await ensureService({ ...options, owner: account });
  return { kind: "registered", id, isActive: before?.isActive ?? true, isNew: true };
}

type Found = { readonly id: number; readonly isActive: boolean; readonly isDifferent: boolean };

/** The service with this inbox as the registry has it now. */
async function find(options: ServiceToRegister): Promise<Found | undefined> {
  const { rpcUrl, serviceRegistry: address, inbox, fingerprint, keyUri } = options;
  const client = createPublicClient({ transport: http(rpcUrl) });
  const registry = { address, abi: serviceRegistryAbi } as const;
  const id = await client.readContract({ ...registry, functionName: "idOfInbox", args: [inbox] });
  if (id === 0n) return undefined;
  const service = await client.readContract({ ...registry, functionName: "serviceOf", args: [id] });
  return {
    id: Number(id),
    isActive: service.active,
    isDifferent: service.fingerprint !== fingerprint.toLowerCase() || service.keyUri !== keyUri,
  };
}

const callOf = ({ inbox, fingerprint, keyUri }: ServiceToRegister, before: Found | undefined): Hex =>
  before === undefined
    ? encodeFunctionData({
        abi: serviceRegistryAbi,
        functionName: "register",
        args: [inbox, fingerprint, keyUri],
      })
    : encodeFunctionData({
        abi: serviceRegistryAbi,
        functionName: "updateKey",
        args: [BigInt(before.id), fingerprint, keyUri],
      });
