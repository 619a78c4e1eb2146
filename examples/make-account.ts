// A new account and its agent's key: what most stories begin with. examples/propose-and-execute has it written out.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from "viem/accounts";
import { createSiweMessage } from "viem/siwe";
import { addresses } from "./addresses.ts";

const { api } = addresses();

type Answered<Body> = { readonly status: number; readonly body: Body };
export type Headers = Readonly<Record<string, string>>;
export type Transaction = {
  readonly requestHash: `0x${string}`;
  readonly description: string;
  readonly status: string;
  readonly phase: string;
  readonly reason: string | null;
};
export type Verdict = {
  readonly decision: string;
  readonly confidence: number;
  readonly analysis: string;
  readonly attestation: Record<string, unknown> | null;
};

export async function call<Answer>(
  method: string,
  path: string,
  headers: Headers = {},
  body?: object,
): Promise<Answered<Answer>> {
  const response = await fetch(`${api}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer };
}

/** Throws unless the answer has the status that the story goes on with. */
export async function expectStatus<Answer>(
  status: number,
  answer: Promise<Answered<Answer>>,
): Promise<Answer> {
  const { body, ...answered } = await answer;
  assert.equal(answered.status, status, JSON.stringify(body));
  return body;
}

export type Account = {
  readonly wallet: PrivateKeyAccount;
  readonly asOwner: Headers;
  readonly asAgent: Headers;
};

export async function makeAccount(): Promise<Account> {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const walletAddress = wallet.address;
  const { nonce } = await expectStatus(
    200,
    call<{ nonce: string }>("POST", "/auth/siwe/nonce", {}, { walletAddress }),
  );
  const message = createSiweMessage({
    domain: new URL(api).host,
    uri: api,
    address: wallet.address,
    version: "1",
    chainId: 11_155_111,
    nonce,
    issuedAt: new Date(),
  });
  const signature = await wallet.signMessage({ message });
  const { accessToken } = await expectStatus(
    200,
    call<{ accessToken: string }>("POST", "/auth/siwe/verify", {}, { message, signature }),
  );
  const asOwner: Headers = { authorization: `Bearer ${accessToken}` };
  const { secret } = await expectStatus(
    201,
    call<{ secret: string }>("POST", "/user-api-keys", asOwner, { name: "my agent" }),
  );
  const asAgent: Headers = { "x-api-key": secret };
  return { wallet, asOwner, asAgent };
}

/** Polls, as any client may: every two seconds, until there is a verdict. */
export async function waitForVerdict(requestHash: string, headers: Headers): Promise<Verdict> {
  for (let round = 0; round < 60; round++) {
    const path = `/transactions/${requestHash}/approval-status`;
    const { orion } = await expectStatus(200, call<{ orion: Verdict[] }>("GET", path, headers));
    if (orion[0] !== undefined) return orion[0];
    await sleep(2000);
  }
  throw new Error(`no verdict about ${requestHash}`);
}

export async function waitForPhase(
  requestHash: string,
  headers: Headers,
  phase: string,
): Promise<Transaction> {
  for (let round = 0; round < 120; round++) {
    const found = await expectStatus(200, call<Transaction>("GET", `/transactions/${requestHash}`, headers));
    if (found.phase === phase) return found;
    await sleep(500);
  }
  throw new Error(`${requestHash} does not become ${phase}`);
}
