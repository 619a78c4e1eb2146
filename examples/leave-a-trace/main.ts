// The on-chain record of a request, by hand: a payload is stored on IPFS, its digest is recorded on chain once, and anyone can
// find the payload again and verify it.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createTestClient, http, parseEther, publicActions, toHex, walletActions } from "viem";
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import { inboxAbi } from "@countersign/contracts/abi";
import { addresses } from "../addresses.ts";

const { chain, ipfs, contracts } = addresses();

const node = createTestClient({ mode: "anvil", transport: http(chain), pollingInterval: 200 })
  .extend(publicActions)
  .extend(walletActions);

// Who may record, the contract's owner says: on the development chain the well-known first account. The service has a recorder of its own.
const owner = mnemonicToAccount("test test test test test test test test test test test junk");
const recorder = privateKeyToAccount(generatePrivateKey());
await node.setBalance({ address: recorder.address, value: parseEther("1") });
const inbox = { address: contracts.inbox, abi: inboxAbi } as const;
const allowed = await node.writeContract({
  ...{ ...inbox, account: owner, chain: null, functionName: "setRecorder" },
  args: [recorder.address, true],
});
assert.equal((await node.waitForTransactionReceipt({ hash: allowed })).status, "success");

const sealed = Buffer.concat([Buffer.from("encrypted for the verification service: "), randomBytes(64)]);
const pinned = await fetch(`${ipfs}/ipfs`, { method: "POST", body: sealed });
assert.equal(pinned.status, 201);
const { cid } = (await pinned.json()) as { cid: string };
console.log("pinned as", cid);

const requestHash = toHex(randomBytes(32));
const contentDigest = toHex(createHash("sha256").update(sealed).digest());
const record = { ...inbox, account: recorder, functionName: "record" } as const;
const args = [requestHash, contentDigest, recorder.address] as const;
const sent = await node.writeContract({ ...record, args, chain: null });
const receipt = await node.waitForTransactionReceipt({ hash: sent });
assert.equal(receipt.status, "success");
console.log("recorded in block", receipt.blockNumber);

// Later, a reader takes the digest from the chain, the payload from IPFS, and compares the hash.
const entry = await node.readContract({
  address: contracts.inbox,
  abi: inboxAbi,
  functionName: "entryOf",
  args: [requestHash],
});
const found = Buffer.from(await (await fetch(`${ipfs}/ipfs/${cid}`)).arrayBuffer());
assert.equal(toHex(createHash("sha256").update(found).digest()), entry.contentDigest);
assert.deepEqual(found, sealed);

// Not even the recorder can replace the digest.
const forged = [requestHash, toHex(randomBytes(32)), recorder.address] as const;
await assert.rejects(node.simulateContract({ ...record, args: forged }), /AlreadyRecorded/);
console.log("found again, and it cannot be overwritten");
