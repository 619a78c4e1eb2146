// The public trace of a request, by hand: bytes are put on IPFS, their digest is recorded on the chain once, and anybody
// can find the bytes again and see that they are the same.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createPublicClient, createWalletClient, http, toHex } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { inboxAbi } from "@countersign/contracts/abi";
import { addresses } from "../addresses.ts";

const { chain, ipfs, contracts } = addresses();

// The development chain's well-known third account is the one that may record.
const recorder = mnemonicToAccount("test test test test test test test test test test test junk", {
  addressIndex: 2,
});
const reader = createPublicClient({ transport: http(chain), pollingInterval: 200 });
const writer = createWalletClient({ account: recorder, transport: http(chain) });

const sealed = Buffer.concat([Buffer.from("sealed for the arbiter: "), randomBytes(64)]);
const pinned = await fetch(`${ipfs}/ipfs`, { method: "POST", body: sealed });
assert.equal(pinned.status, 201);
const { cid } = (await pinned.json()) as { cid: string };
console.log("pinned as", cid);

const requestHash = toHex(randomBytes(32));
const contentDigest = toHex(createHash("sha256").update(sealed).digest());
const record = { address: contracts.inbox, abi: inboxAbi, functionName: "record" } as const;
const args = [requestHash, contentDigest, recorder.address] as const;
const sent = await writer.writeContract({ ...record, args, chain: null });
const receipt = await reader.waitForTransactionReceipt({ hash: sent });
assert.equal(receipt.status, "success");
console.log("recorded in block", receipt.blockNumber);

// Somebody else, later: the chain says which digest, IPFS gives the bytes, and the hash says whether they are the ones.
const entry = await reader.readContract({
  address: contracts.inbox,
  abi: inboxAbi,
  functionName: "entryOf",
  args: [requestHash],
});
const found = Buffer.from(await (await fetch(`${ipfs}/ipfs/${cid}`)).arrayBuffer());
assert.equal(toHex(createHash("sha256").update(found).digest()), entry.contentDigest);
assert.deepEqual(found, sealed);

// And nobody, not even the recorder, can put other bytes in their place.
const forged = [requestHash, toHex(randomBytes(32)), recorder.address] as const;
await assert.rejects(
  reader.simulateContract({ ...record, args: forged, account: recorder }),
  /AlreadyRecorded/,
);
console.log("found again, and it cannot be overwritten");
