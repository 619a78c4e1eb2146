// The stories on the whole system: an agent proposes to the API with the key of the account, and reads what the API answers.
import { createCountersign, type Countersign } from "../../../../packages/sdk/src/index.ts";
import { fetchTrust, verifyReceipt, type Trust } from "../../../../packages/sdk/src/receipt/index.ts";
import { readBalances, type Balances } from "../../../../packages/sdk/src/report/index.ts";
import { devAccounts } from "@countersign/tools/engines";
import { parseCalls, parseSafeTransaction, parseTypedData, safeTypedData, type Hex } from "@countersign/wire";
import { signedCalls } from "@countersign/wire/signed-calls";
import { privateKeyToAccount } from "viem/accounts";
import { anOwner, setStage } from "../../../../tools/stage/index.ts";
import { forms, type Form, type Subject } from "./all.ts";
import type { Call } from "./calls.ts";
import { openChain, type Chain } from "./chain.ts";
import type { Signed } from "./signatures.ts";
import { people } from "./stage.ts";

const { me } = people;
const chainId = 1;

type Json = Readonly<Record<string, unknown>>;

const written = ({ to, value = 0n, data = "0x" }: Call) => ({ to, value: value.toString(), data });

/** The member of the body, as an agent writes it. */
function memberOf(form: Form, subject: Subject): Json {
  switch (form) {
    case "tx":
      return { tx: written(subject as Call) };
    case "calls": {
      const calls = (subject as readonly Call[]).map(written);
      return { calls: { version: "2.0.0", chainId, from: me, atomicRequired: true, calls } };
    }
    case "typedData":
      return { typedData: subject };
    case "safeTransaction":
      return { safeTransaction: subject };
  }
}

/** Returns the subject that the validator must be asked about, to the last member. */
export function questionAbout(form: Form, subject: Subject): Json {
  switch (form) {
    case "tx":
      return { ...written(subject as Call), chainId };
    case "calls":
      return { transactions: parseCalls(memberOf(form, subject)["calls"]).calls, chainId };
    case "typedData":
      return { order: parseTypedData(subject), chainId };
    case "safeTransaction":
      return { order: safeTypedData(parseSafeTransaction(subject)), chainId };
  }
}

/** Returns the calls of a story, and who sends them: for a signature, the account that it is for. */
export function callsOf(
  form: Form,
  subject: Subject,
): { readonly sender: Hex; readonly calls: Call | readonly Call[] } {
  if (form === "tx" || form === "calls") return { sender: me, calls: subject as Call | readonly Call[] };
  const signed = form === "typedData" ? (subject as Signed) : safeTypedData(parseSafeTransaction(subject));
  const { account, calls } = signedCalls(signed, me) ?? { account: me, calls: [] };
  return { sender: account, calls: calls.map((call) => ({ ...call, value: BigInt(call.value) })) };
}

type Report = {
  readonly reason: string;
  readonly results: Readonly<Record<string, { readonly status: string; readonly reasoning: string }>>;
  readonly context: { readonly state?: { readonly status: string } };
};

export type Answer = {
  /** Of the transaction, as its owner's page shows it. */
  readonly status: string;
  readonly shape: string | null;
  readonly description: string;
  /** Of the verification service. */
  readonly decision: string | undefined;
  readonly analysis: string;
  readonly needsOwner: { readonly code: string } | null;
  /** Whether the receipt verifies: the proposal, the report and the signature belong together. Its problems otherwise. */
  readonly receipt: string;
  readonly reason: string;
  readonly failed: readonly string[];
  /** The reasoning of a check. */
  readonly reasoningOf: (check: string) => string | undefined;
  readonly state: string | undefined;
  readonly balances: Balances;
  /** The members of orion's request to the validator. */
  readonly question: { readonly words: unknown; readonly proposed: unknown; readonly from: unknown };
};

export type ApiStage = {
  readonly chain: Chain;
  readonly safe: Hex;
  /** Mines a block of the world, proposes, and returns what the API answers once there is a verdict. */
  readonly propose: (words: string, form: Form, subject: Subject) => Promise<Answer>;
  readonly stop: () => Promise<void>;
};

export async function setApiStage(): Promise<ApiStage> {
  const stage = await setStage({ hasWorld: true, isWorkerApart: true });
  const { world, urls, deployment } = stage;
  if (world === undefined) throw new Error("the stage has no world");
  stage.chain.mineEvery(200);
  const wallet = privateKeyToAccount(devAccounts()[0]?.privateKey ?? "0x");
  // Only the verdict is between the agent and an approval.
  const owner = await anOwner(stage, 2, { wallet });
  const session = owner.credentials().owner;
  const agents = new Map<Form, Agent>();
  for (const form of forms) agents.set(form, await makeAgent(urls.api, session, form));
  const { serviceRegistry, inbox } = deployment;
  const trust = await fetchTrust({ rpcUrl: urls.anvil, serviceRegistry, inbox, serviceId: 1 });
  const chain = openChain(world.url);
  return {
    ...{ chain, safe: world.safe },
    propose: async (userPrompt, form, subject) => {
      const agent = agents.get(form);
      if (agent === undefined) throw new Error(`no agent proposes ${form}`);
      await chain.mine();
      const body = { escrowAddress: me, chainId, userPrompt, ...memberOf(form, subject) };
      const { requestHash } = await post<Recorded>(`${urls.api}/transactions`, agent.credential, body);
      await agent.countersign.waitForVerdict(requestHash, { timeoutMs: 120_000 });
      return read(agent.countersign, requestHash, trust);
    },
    stop: () => stage.end(),
  };
}

type Recorded = { readonly requestHash: string };
type Credential = Readonly<Record<string, string>>;
type Agent = { readonly credential: Credential; readonly countersign: Countersign };

/** One for each form: some stories differ in their form alone, and an agent that repeats a request needs its owner. */
async function makeAgent(url: string, session: Credential, name: string): Promise<Agent> {
  const { secret } = await post<{ readonly secret: string }>(`${url}/user-api-keys`, session, { name });
  return { credential: { "x-api-key": secret }, countersign: createCountersign({ url, apiKey: secret }) };
}

async function post<T>(url: string, credential: Credential, body: Json): Promise<T> {
  const headers = { ...credential, "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (answer.status !== 201) throw new Error(`not accepted: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Reads it as the owner's page does: the transaction, and the report in its receipt. */
async function read(countersign: Countersign, requestHash: string, trust: Trust): Promise<Answer> {
  const { status, shape, description, needsOwner, approvals } = await countersign.transaction(requestHash);
  const receipt = await countersign.receipt(requestHash, { bundle: true });
  const verified = await verifyReceipt(receipt, trust);
  const { reason, results, context } = receipt.report as Report;
  const request = receipt.bundle?.request as
    { readonly human_intent: unknown; readonly proposed_tx: unknown; readonly metadata: Json } | undefined;
  const [verdict] = approvals.orion;
  return {
    ...{ status, shape, description, needsOwner, reason },
    ...{ decision: verdict?.decision, analysis: verdict?.analysis ?? "" },
    receipt: verified.isValid ? `valid: ${verified.decision}` : verified.problems.join(" "),
    failed: Object.entries(results).flatMap(([id, result]) => (result.status === "FAIL" ? [id] : [])),
    reasoningOf: (check) => results[check]?.reasoning,
    state: context.state?.status,
    balances: readBalances(receipt.report),
    question: {
      ...{ words: request?.human_intent, proposed: request?.proposed_tx },
      from: request?.metadata["from"],
    },
  };
}
