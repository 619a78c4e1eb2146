// An agent without a key: it shows its user an address and four characters, the user compares and approves, the agent fetches
// the key. The service returns it once, and only to the program that started.
import assert from "node:assert/strict";
import { connect, createCountersign, NotFoundError } from "@countersign/sdk";
import { signIn } from "@countersign/sdk/viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

const url = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:3000";

// The agent.
const connection = await connect({ url });
console.log("open", connection.authUrl, "and compare", connection.code.slice(0, 4));
const connected = connection.wait({ everyMs: 500 });

// Its user, elsewhere, signed in: who asks, from where, and are the four characters the same?
const wallet = privateKeyToAccount(generatePrivateKey());
const owner = createCountersign({ url, session: await signIn({ url, wallet }) });
const asked = await owner.connections.info(connection.code);
assert.equal(asked.codePrefix, connection.code.slice(0, 4));
await owner.connections.approve(connection.code);

// The agent has a key of that account, and the key cannot be fetched a second time.
const { apiKey, walletAddress } = await connected;
assert.equal(walletAddress, wallet.address);
const agent = createCountersign({ url, apiKey });
assert.equal(await agent.address(), wallet.address);
await assert.rejects(connection.wait(), NotFoundError);
console.log("connected to", walletAddress);
