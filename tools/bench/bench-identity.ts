// The cost of authentication: a wallet's signature, and a token on every request.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import autocannon from "autocannon";
import { createSiweMessage } from "viem/siwe";
import { privateKeyToAccount } from "viem/accounts";
import { makeLog } from "@countersign/platform/log";
import { makeWallets, recoverSigner } from "../../apps/api/src/adapters/wallets/index.ts";
import { makeSignInPages, refuseMessage } from "../../apps/api/src/sign-in/sign-in-policy.ts";
import { readSiweMessage } from "../../apps/api/src/sign-in/siwe-message.ts";
import {
  ensureDatabase,
  fetchOk,
  freePorts,
  startPostgres,
  waitUntil,
  type Supervisor,
} from "../engines/index.ts";
import { compare, type Comparison } from "./ratio.ts";

const wallet = privateKeyToAccount(`0x${randomBytes(32).toString("hex")}`);

const aMessage = (page: string, nonce: string): string =>
  createSiweMessage({
    domain: new URL(page).host,
    uri: page,
    address: wallet.address,
    version: "1",
    chainId: 1,
    nonce,
    issuedAt: new Date(),
  });

async function perSecond(count: number, once: () => unknown): Promise<number> {
  const began = performance.now();
  for (let i = 0; i < count; i++) await once();
  return (count * 1000) / (performance.now() - began);
}

/** Parsing and checking the message and verifying the signature, against recovering the signer alone. */
export async function benchSignIn(): Promise<Comparison> {
  const page = "https://app.example";
  const text = aMessage(page, "0123456789abcdef");
  const signature = await wallet.signMessage({ message: text });
  const pages = makeSignInPages({ baseUrl: page, others: [] });
  const wallets = makeWallets({ rpcUrls: {}, log: makeLog({ app: "bench", level: "silent" }) });
  const signIn = async (): Promise<void> => {
    const message = readSiweMessage(text);
    if (message === undefined || refuseMessage(message, pages, new Date()) !== undefined)
      throw new Error("refused");
    if ((await wallets.verifyText({ address: message.address, text, signature, chainId: 1 })) !== "valid")
      throw new Error("invalid");
  };
  const bare = (): unknown => recoverSigner(text, signature);
  await perSecond(500, signIn);
  return compare(
    5,
    () => perSecond(2000, signIn),
    () => perSecond(2000, bare),
  );
}

/** The whole service with its database, and a token to call it with. */
async function startApi(
  supervisor: Supervisor,
  dir: string,
): Promise<{ readonly url: string; readonly authorization: string }> {
  const [postgresPort = 0, port = 0, worker = 0] = await freePorts(3);
  const postgres = await startPostgres({ supervisor, dir: `${dir}/identity-postgres`, port: postgresPort });
  await ensureDatabase(postgres.url("postgres"), "identity");
  const url = `http://127.0.0.1:${port}`;
  supervisor.start({
    name: "api",
    command: process.execPath,
    args: [join(import.meta.dirname, "../../apps/api/src/main.ts")],
    cwd: dir,
    env: {
      PORT: String(port),
      WORKER_PORT: String(worker),
      DATABASE_URL: postgres.url("identity"),
      SECRETS_KEY: randomBytes(32).toString("base64"),
      // So that the load can come from many addresses, as it would.
      TRUSTED_PROXIES: "127.0.0.1",
    },
  });
  await waitUntil("the api is ready", () => fetchOk(`${url}/ready`), { seconds: 30 });
  const post = async (path: string, body: object): Promise<Record<string, string>> =>
    (await (
      await fetchOk(`${url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      })
    ).json()) as Record<string, string>;
  const { nonce = "" } = await post("/auth/siwe/nonce", { walletAddress: wallet.address });
  const message = aMessage(url, nonce);
  const { accessToken = "" } = await post("/auth/siwe/verify", {
    message,
    signature: await wallet.signMessage({ message }),
  });
  return { url, authorization: `Bearer ${accessToken}` };
}

/** `GET /auth/me` with a token whose session is looked up in the record, against bare Fastify. */
export async function benchAuthenticated(
  supervisor: Supervisor,
  dir: string,
  bareUrl: string,
): Promise<Comparison> {
  const { url, authorization } = await startApi(supervisor, dir);
  let sent = 0;
  const setupRequest = (request: autocannon.Request): autocannon.Request => ({
    ...request,
    headers: {
      ...request.headers,
      "x-forwarded-for": `10.${sent & 3}.${(sent >> 2) & 255}.${(sent++ >> 10) & 255}`,
    },
  });
  const hammer = (target: string, path: string) => async (): Promise<number> => {
    const { requests, non2xx } = await autocannon({
      url: target,
      connections: 32,
      duration: 2,
      requests: [{ path, headers: { authorization }, setupRequest }],
    });
    if (non2xx > 0) throw new Error(`${non2xx} requests were refused`);
    return requests.average;
  };
  await hammer(url, "/auth/me")();
  return compare(5, hammer(url, "/auth/me"), hammer(bareUrl, "/"));
}
