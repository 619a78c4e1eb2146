// Proposals for the flows, and steps that several flows share.
import { createMessage, encrypt, generateKey, readKey, readPrivateKey, sign } from "openpgp";
import type { Locator, Page } from "playwright-core";
import { encodeFunctionData, erc20Abi, maxUint256, type Hex } from "viem";
import { press } from "../hands.ts";
import type { Agent, Owner, Harness, Visit } from "../harness.ts";

export const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const chainId = 11_155_111;

/** Proposes a payment that matches its request, and waits for the verdict. The default deadline is one day. */
export async function payment({ client }: Agent, ether = "0.01", deadlineSeconds?: number): Promise<string> {
  const value = BigInt(Math.round(Number(ether) * 1000)) * 10n ** 15n;
  const { requestHash } = await client.propose({
    userPrompt: `Send ${ether} ETH to ${alice}`,
    tx: { to: alice, value },
    ...(deadlineSeconds === undefined ? {} : { deadline: new Date(Date.now() + deadlineSeconds * 1000) }),
  });
  await client.waitForVerdict(requestHash);
  return requestHash;
}

const usdc = "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238";
/** Uniswap's router on this chain. */
const router = "0x3bFA4769FB09eefC5a80d6E87c3B9C650f7Ae48E";

async function propose({ client }: Agent, userPrompt: string, data: Hex): Promise<string> {
  const { requestHash } = await client.propose({ userPrompt, tx: { to: usdc, data } });
  await client.waitForVerdict(requestHash);
  return requestHash;
}

/** Proposes a token payment, which calls the token's contract with no value. */
export const tokenPayment = (agent: Agent): Promise<string> =>
  propose(
    agent,
    `Send 250 USDC to ${alice}`,
    encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [alice, 250_000_000n] }),
  );

/** Proposes an approval that matches its request: of an amount, or unlimited. */
export const tokenApproval = (agent: Agent, units?: bigint): Promise<string> =>
  propose(
    agent,
    units === undefined
      ? `Approve Uniswap router ${router} to spend unlimited USDC`
      : `Approve Uniswap router ${router} to spend ${units / 1_000_000n} USDC`,
    encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [router, units ?? maxUint256] }),
  );

/** Proposes a payment of fifty times the requested amount, and waits until it is rejected. */
export async function theft({ client }: Agent): Promise<string> {
  const tx = { to: alice, value: 5n * 10n ** 17n } as const;
  const { requestHash } = await client.propose({ userPrompt: `Send 0.01 ETH to ${alice}`, tx });
  await client.waitForStatus(requestHash, ["REJECTED"]);
  return requestHash;
}

function armour(made: unknown): string {
  if (typeof made !== "string") throw new Error("Expected armored text.");
  return made;
}

/** Proposes an encrypted payload with a character that the validator cannot read: UNDECIDED. See examples/undecided-owner-decides. */
export async function undecided(owner: Owner, agent: Agent): Promise<string> {
  const { account, client } = owner;
  const pgp = await generateKey({ userIDs: [{ name: account.address }], format: "armored" });
  const signature = await account.signMessage({ message: pgp.publicKey });
  await client.request("/user-api-keys/register", {
    method: "POST",
    body: { pgpPublicKey: pgp.publicKey, signature },
  });
  const { body: services } = await client.request<{ pgpPublicKey: string }[]>(
    "/verification-services/active",
  );
  const signingKeys = await readPrivateKey({ armoredKey: pgp.privateKey });
  const encryptionKeys = await readKey({ armoredKey: services[0]?.pgpPublicKey ?? "" });
  const bytes = (text: string) => createMessage({ binary: new TextEncoder().encode(text) });
  const call = { to: alice.toLowerCase(), value: "10000000000000000", data: "0x" };
  const words = `Send 0.01 ETH to ${alice}\u0000`;
  const content = JSON.stringify({
    version: 1,
    escrow: account.address.toLowerCase(),
    chainId,
    ...call,
    userPrompt: words,
  });
  const encryptedPayload = armour(await encrypt({ message: await bytes(content), encryptionKeys }));
  const payloadSignature = armour(
    await sign({ message: await bytes(encryptedPayload), signingKeys, detached: true }),
  );
  const body = { escrowAddress: account.address, encryptedPayload, payloadSignature };
  const { body: made } = await agent.client.request<{ requestHash: string }>("/transactions", {
    method: "POST",
    body,
  });
  await agent.client.waitForVerdict(made.requestHash);
  return made.requestHash;
}

export type Scene = { readonly owner: Owner; readonly agent: Agent };

export async function makeScene(harness: Harness): Promise<Scene> {
  const owner = await harness.makeOwner();
  return { owner, agent: await harness.makeAgent(owner) };
}

/** A page's title, or the state of a transaction. */
export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole("heading", typeof name === "string" ? { name, exact: true } : { name });
export const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });
export const sendButton = (page: Page): Locator => page.getByRole("button", { name: /^Send with / });

/** Opens the decision dialog and connects the wallet in it. */
export async function begin(visit: Visit, decision: "Approve" | "Reject" | "Cancel approval"): Promise<void> {
  await press(visit, button(visit.page, decision));
  await openWallet(visit);
}

/** Returns the text that the wallet will sign, from the folded details. */
export async function textToSign(visit: Visit): Promise<string> {
  await press(visit, button(visit.page, "Technical details"));
  return (await visit.page.getByLabel("Text to sign").textContent()) ?? "";
}

/** Connects the wallet unless it is connected. A wallet that reconnects late removes the button. */
export async function openWallet(visit: Visit, next = "Sign and save"): Promise<void> {
  const { page } = visit;
  const open = button(page, "Connect Test Wallet");
  await open
    .or(button(page, "Technical details"))
    .or(sendButton(page).and(page.locator(":enabled")))
    .or(button(page, next).and(page.locator(":enabled")))
    .first()
    .waitFor();
  if (await open.isVisible()) await Promise.race([press(visit, open), open.waitFor({ state: "hidden" })]);
}
