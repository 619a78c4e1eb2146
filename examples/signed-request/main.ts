// The owner of an address calls the service without signing in: the wallet signs each request. The signature is valid for
// this request, at this service, once.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { addresses } from "../addresses.ts";

const { api } = addresses();
const owner = privateKeyToAccount(generatePrivateKey());

type Request = { readonly method: "GET" | "POST"; readonly target: string; readonly body?: string };
type Freshness = { readonly timestamp: number; readonly nonce: string };

/** The two headers that every signed request has. The text is the whole scheme: nine lines, LF between them. */
async function sign({ method, target, body = "" }: Request, { timestamp, nonce }: Freshness) {
  const message = [
    "Ethereum Signed HTTP Request v1",
    `audience: ${api}`,
    `address: ${owner.address}`,
    "chain-id: 11155111",
    `method: ${method}`,
    `target: ${target}`,
    `content-sha256: ${createHash("sha256").update(body).digest("hex")}`,
    `timestamp: ${timestamp}`,
    `nonce: ${nonce}`,
  ].join("\n");
  return {
    "x-ethereum-address": owner.address,
    "x-ethereum-signature": await owner.signMessage({ message }),
  };
}

const send = ({ method, target, body }: Request, headers: Record<string, string>) =>
  fetch(`${api}${target}`, {
    method,
    headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { body }),
  });

// Mode A: the client chooses time and nonce, and says them in headers. The owner becomes a user.
const body = JSON.stringify({ ethereumAddress: owner.address });
const create: Request = { method: "POST", target: "/users", body };
const chosen = { timestamp: Math.floor(Date.now() / 1000), nonce: randomBytes(16).toString("hex") };
const signedCreate = {
  ...(await sign(create, chosen)),
  "x-ethereum-timestamp": String(chosen.timestamp),
  "x-ethereum-nonce": chosen.nonce,
};
const created = await send(create, signedCreate);
assert.equal(created.status, 201);
const user = (await created.json()) as { id: string; ethereumAddress: string };
assert.equal(user.ethereumAddress, owner.address);
console.log("created", user);

// An attacker who sees it can neither replay nor modify it.
assert.equal((await send(create, signedCreate)).status, 401);
assert.equal((await send({ method: "GET", target: `/users/${owner.address}` }, signedCreate)).status, 401);

// Mode B: only the two headers. The nonce is the service's, and the time is left to it.
const asked = await fetch(`${api}/auth/siwe/nonce`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ walletAddress: owner.address }),
});
const { nonce } = (await asked.json()) as { nonce: string };
const read: Request = { method: "GET", target: `/users/${owner.address}` };
const signedRead = await sign(read, { timestamp: 0, nonce });
const found = await send(read, signedRead);
assert.equal(found.status, 200);
const details = (await found.json()) as { id: string; pgp?: object };
assert.equal(details.id, user.id);
// Only the owner and the service's own keys see this.
assert.ok(details.pgp);
assert.equal((await send(read, signedRead)).status, 401);
console.log("read once by signature; both replays were refused");
