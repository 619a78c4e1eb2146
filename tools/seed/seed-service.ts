// The development stack's verification service, as the chain and IPFS must know it before a proposal can be sealed for it.
import { ensureService, type Deployment } from "@countersign/contracts/deploy";
import { CID } from "multiformats/cid";
import * as raw from "multiformats/codecs/raw";
import { sha256 } from "multiformats/hashes/sha2";
import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { devAccounts } from "../engines/anvil.ts";
import { fetchOk } from "../engines/wait.ts";
import { checkIsDevChain } from "./seed.ts";

type Options = {
  readonly rpcUrl: string;
  readonly ipfsUrl: string;
  readonly deployment: Pick<Deployment, "serviceRegistry">;
  /** The address that the service signs its verdicts with. */
  readonly inbox: Hex;
  /** Of its OpenPGP key: hex, with or without 0x. */
  readonly fingerprint: string;
  readonly armouredKey: string;
};

/** Safe to repeat: what is there already stays, and another key takes the place of the old one. */
export async function seedService(
  options: Options,
): Promise<{ readonly id: number; readonly keyUri: string }> {
  const { rpcUrl, ipfsUrl, deployment, inbox, fingerprint, armouredKey } = options;
  await checkIsDevChain(rpcUrl);
  // The account that deployed the contracts owns them.
  const [deployer] = devAccounts();
  if (deployer === undefined) throw new Error("There are no dev accounts.");
  const keyUri = `ipfs://${await pin(ipfsUrl, new TextEncoder().encode(armouredKey))}`;
  const id = await ensureService({
    rpcUrl,
    owner: privateKeyToAccount(deployer.privateKey),
    serviceRegistry: deployment.serviceRegistry,
    inbox,
    fingerprint: `0x${fingerprint.replace(/^0x/, "").toLowerCase()}`,
    keyUri,
  });
  return { id, keyUri };
}

async function pin(ipfsUrl: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const cid = CID.createV1(raw.code, await sha256.digest(bytes)).toString();
  const response = await fetchOk(`${ipfsUrl}/ipfs`, { method: "POST", body: bytes });
  const answer = (await response.json()) as { cid?: unknown };
  if (answer.cid !== cid) throw new Error(`The IPFS node stored ${cid} under another name.`);
  return cid;
}
