// An owner with a wallet and no browser, and their agent. Both retry while the service is down.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import { privateKeyToAccount, type PrivateKeyAccount } from "viem/accounts";
import { createSiweMessage } from "viem/siwe";
import type { Call } from "./chain.ts";
import type { Stage } from "./stage.ts";

export type View = {
  readonly requestHash: Hex;
  readonly status: "PENDING" | "APPROVED" | "REJECTED" | "EXECUTED" | "FAILED";
  readonly phase: string;
  readonly reason: string | null;
  readonly transactionHash: Hex | null;
  readonly approvals: {
    readonly user: readonly { readonly decision: string }[];
    readonly orion: readonly { readonly decision: string; readonly analysis: string | null }[];
  };
};

export type Proposal = {
  readonly prompt: string;
  readonly call: Call;
  /** Not sealed: proposed by an administrator, for execution type 0. */
  readonly isUnsealed?: boolean;
  readonly deadlineSeconds?: number;
};

type Headers = Readonly<Record<string, string>>;

/** Where owners are: the service, its chain and, for wallets that are kept, a custodian. */
export type Site = Pick<Stage, "serverKeys" | "chain"> &
  Partial<Pick<Stage, "custodian">> & { readonly urls: Pick<Stage["urls"], "api"> };

export type Owner = {
  readonly wallet: PrivateKeyAccount;
  readonly address: string;
  /** The wallet that the proposals are for: their own, or one that a custodian keeps for them. */
  readonly escrow: Hex;
  readonly kept: Kept | undefined;
  /** Until it is accepted, as often as it takes, under one Idempotency-Key. */
  readonly propose: (proposal: Proposal) => Promise<Hex>;
  readonly decide: (requestHash: Hex, decision: "APPROVED" | "REJECTED") => Promise<void>;
  /** The credentials of the owner and their agent, for tests that make their own requests. */
  readonly credentials: () => { readonly owner: Headers; readonly agent: Headers };
  /** The newest first. Undefined while the service is away. */
  readonly list: () => Promise<readonly View[] | undefined>;
};

type Question = {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Headers;
  readonly body?: object;
  readonly timeoutMs?: number;
};
type Answer = { readonly status: number; readonly json: unknown };

/** Longer than any service of the stage is ever away. */
const patienceMs = 90_000;

async function ask(stage: Site, question: Question): Promise<Answer> {
  const { method = "GET", path, headers, body, timeoutMs = 10_000 } = question;
  const response = await fetch(`${stage.urls.api}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  return { status: response.status, json: text === "" ? undefined : JSON.parse(text) };
}

/** As a patient client: what was cut off, refused for now or met by a fault is asked again, in the same words. */
async function insist(stage: Site, question: () => Promise<Question>, wanted: number): Promise<Answer> {
  const limit = Date.now() + patienceMs;
  for (;;) {
    const answer = await question()
      .then((asked) => ask(stage, asked))
      .catch(() => undefined);
    if (answer?.status === wanted) return answer;
    const isPassing = answer === undefined || answer.status >= 500 || [401, 409, 429].includes(answer.status);
    if (!isPassing || Date.now() > limit)
      throw new Error(`wanted ${wanted}: ${JSON.stringify(answer ?? "no answer")}`);
    await sleep(100);
  }
}

async function signIn(stage: Site, wallet: PrivateKeyAccount): Promise<Headers> {
  const { address } = wallet;
  const asked = await insist(
    stage,
    async () => ({ method: "POST", path: "/auth/siwe/nonce", body: { walletAddress: address } }),
    200,
  );
  const { nonce } = asked.json as { nonce: string };
  const { api } = stage.urls;
  const message = createSiweMessage({
    ...{ address, nonce, uri: api, domain: new URL(api).host, version: "1", chainId: 11_155_111 },
    issuedAt: new Date(),
  });
  const body = { message, signature: await wallet.signMessage({ message }) };
  const answer = await ask(stage, { method: "POST", path: "/auth/siwe/verify", body });
  if (answer.status !== 200) throw new Error(`sign-in: ${answer.status}`);
  return { authorization: `Bearer ${(answer.json as { accessToken: string }).accessToken}` };
}

const bodyOf = (escrowAddress: string, { prompt, call, isUnsealed, deadlineSeconds }: Proposal): object => ({
  escrowAddress,
  userPrompt: prompt,
  tx: { to: call.to, value: call.value.toString(), data: call.data },
  ...(isUnsealed === true ? { encrypted: false } : {}),
  ...(deadlineSeconds === undefined ? {} : { deadline: Math.floor(Date.now() / 1000) + deadlineSeconds }),
});

/** The custodian credentials, so that a test can search for leaks. */
export type Kept = { readonly vault: Hex; readonly apiKey: string; readonly answers: readonly unknown[] };

/** Long for one key, because the machine may be busy. */
const keyMs = 60_000;

/** Has a custodian keep a wallet for them, and the service send from it for their agent. */
async function enterCustody(stage: Site, headers: Headers): Promise<Kept> {
  const post = (what: string, wanted: number, body: object): Promise<Answer> =>
    insist(
      stage,
      async () => ({ method: "POST", path: `/custody/${what}/agent`, headers, body, timeoutMs: keyMs }),
      wanted,
    );
  // Asked again after a death it takes the place of the one before.
  const subject = { commonName: "A test", organization: "Tests", country: "CH", recreate: true };
  const made = await post("generate-csr", 201, subject);
  const { custodian } = stage;
  if (custodian === undefined) throw new Error("this site has no custodian");
  const { vaultAccountId, address } = await custodian.makeVault();
  const { csr } = made.json as { readonly csr: string };
  const apiKey = custodian.admit({ csr, vaults: [vaultAccountId] });
  const given = { apiKey, vaultAccountId, environment: "sandbox", region: "US" };
  const completed = await post("complete", 200, given);
  const validated = await post("validate", 200, {});
  const vault = address.toLowerCase() as Hex;
  const { wallet } = completed.json as { readonly wallet?: string };
  const { valid } = validated.json as { readonly valid?: boolean };
  if (wallet?.toLowerCase() !== vault || valid !== true)
    throw new Error(`not completed: ${JSON.stringify([completed, validated])}`);
  return { vault, apiKey, answers: [made.json, completed.json, validated.json] };
}

type Wanted = {
  readonly isKept?: boolean;
  /** Their wallet. Default: a new one. */
  readonly wallet?: PrivateKeyAccount;
};

const aWallet = (): PrivateKeyAccount => privateKeyToAccount(`0x${randomBytes(32).toString("hex")}`);

/** Signs in, has a key made, chooses how transactions are executed, and gets money on the chain. */
export async function anOwner(
  stage: Site,
  executionType: 0 | 1 | 2,
  { isKept = false, wallet = aWallet() }: Wanted = {},
): Promise<Owner> {
  await stage.chain.giveMoney(wallet.address);
  let session = await signIn(stage, wallet);
  const made = await insist(
    stage,
    async () => ({ method: "POST", path: "/user-api-keys", headers: session, body: { name: "agent" } }),
    201,
  );
  const key = { "x-api-key": (made.json as { secret: string }).secret };
  await insist(
    stage,
    async () => ({ method: "PUT", path: "/settings", headers: session, body: { executionType } }),
    200,
  );
  const address = wallet.address.toLowerCase();
  const kept = isKept ? await enterCustody(stage, session) : undefined;
  const escrow = kept?.vault ?? (address as Hex);
  return {
    wallet,
    address,
    escrow,
    kept,
    propose: async (proposal) => {
      const body = bodyOf(escrow, proposal);
      const credential = proposal.isUnsealed === true ? { "x-api-key": stage.serverKeys.admin } : key;
      const headers = { ...credential, "idempotency-key": randomBytes(16).toString("hex") };
      const question = { method: "POST", path: "/transactions", headers, body };
      const { json } = await insist(stage, async () => question, 201);
      return (json as { requestHash: Hex }).requestHash;
    },
    decide: async (requestHash, decision) => {
      const path = `/transactions/${requestHash}/approvals`;
      const answer = await ask(stage, { method: "POST", path, headers: session, body: { decision } });
      if (answer.status === 401) session = await signIn(stage, wallet);
      if (answer.status !== 201) throw new Error(`not decided: ${JSON.stringify(answer)}`);
    },
    credentials: () => ({ owner: session, agent: key }),
    list: async () => {
      const path = `/transactions/users/${address}?limit=40`;
      const answer = await ask(stage, { path, headers: key }).catch(() => undefined);
      return answer?.status === 200 ? (answer.json as readonly View[]) : undefined;
    },
  };
}
