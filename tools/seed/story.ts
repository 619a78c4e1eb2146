// Creates an owner whose agent has proposed transactions of every kind, as sample data for the pages. All of it is real:
// proposed with a key, verified by orion, decided and sent by the owner's wallet.
import { createWalletClient, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { createCountersign, type Countersign, type Proposal } from "../../packages/sdk/src/index.ts";
import { signIn, signWords } from "../../packages/sdk/src/viem/index.ts";
import { devAccounts, type DevAccount } from "../engines/anvil.ts";
import { checkIsDevChain, devChainId } from "./seed.ts";
import { storyCases } from "./story-cases.ts";

type Urls = { readonly api: string; readonly anvil: string };

/** Whose story it is: an account that has money on every development chain, and no other role. */
export function storyOwner(): DevAccount {
  const owner = devAccounts()[5];
  if (owner === undefined) throw new Error("There are too few dev accounts.");
  return owner;
}

/** As far ahead as a deadline may be, nearly: what waits for the owner is still there tomorrow. */
const deadlineMs = 7 * 24 * 60 * 60 * 1000 - 60_000;
const patience = { timeoutMs: 120_000 };

type Parts = { readonly owner: Countersign; readonly urls: Urls };

/** One after the other, so that they are listed in this order. */
async function proposeAll(agent: Countersign): Promise<Record<keyof typeof storyCases, string>> {
  const wallet = privateKeyToAccount(storyOwner().privateKey);
  const propose = async (given: Pick<Proposal, "userPrompt" | "tx" | "intentSignature">): Promise<string> => {
    const deadline = new Date(Date.now() + deadlineMs);
    return (await agent.propose({ ...given, deadline, chainId: devChainId })).requestHash;
  };
  const waiting = await propose(storyCases.waiting);
  const unlimited = await propose(storyCases.unlimited);
  const hidden = await propose(storyCases.hidden);
  const executed = await propose(storyCases.executed);
  const refused = await propose(storyCases.refused);
  const { signed: words } = storyCases;
  const intentSignature = await signWords({ wallet, userPrompt: words.userPrompt, chainId: devChainId });
  const signed = await propose({ ...words, intentSignature });
  const incident = await propose(storyCases.incident);
  return { waiting, unlimited, hidden, executed, refused, signed, incident };
}

/** Approved by the owner, sent by their wallet, and final on the chain. */
async function execute(requestHash: string, { owner, urls }: Parts): Promise<void> {
  await owner.waitForVerdict(requestHash, patience);
  await owner.approve(requestHash);
  const { status } = await owner.waitForStatus(requestHash, ["APPROVED"], patience);
  if (status !== "APPROVED") throw new Error(`The story's payment is ${status}, and was to be APPROVED.`);
  const wallet = createWalletClient({
    account: privateKeyToAccount(storyOwner().privateKey),
    transport: http(urls.anvil),
  });
  await wallet.sendTransaction({ chain: null, ...storyCases.executed.tx });
  await owner.waitForStatus(requestHash, ["EXECUTED"], patience);
}

async function refuse(requestHash: string, { owner }: Parts): Promise<void> {
  await owner.waitForVerdict(requestHash, patience);
  await owner.reject(requestHash);
}

/** Safe to repeat: an owner who has transactions already is left alone. */
export async function tellStory(urls: Urls): Promise<"told" | "told before"> {
  // The owner's key is known to everybody.
  await checkIsDevChain(urls.anvil);
  const url = urls.api;
  const session = await signIn({ url, wallet: privateKeyToAccount(storyOwner().privateKey) });
  const owner = createCountersign({ url, session });
  try {
    if ((await owner.transactions({ limit: 1 })).transactions.length > 0) return "told before";
    await tell(owner, urls);
    return "told";
  } finally {
    // The owner's list of sessions contains only their own.
    await owner.logout();
  }
}

async function tell(owner: Countersign, urls: Urls): Promise<void> {
  const { secret } = await owner.keys.create({ name: "treasury agent" });
  const agent = createCountersign({ url: urls.api, apiKey: secret });
  const { executed, refused, ...others } = await proposeAll(agent);
  const parts = { owner, urls };
  await Promise.all([
    execute(executed, parts),
    refuse(refused, parts),
    ...Object.values(others).map((requestHash) => owner.waitForVerdict(requestHash, patience)),
  ]);
}

/** Instructions to sign in as the owner in a browser. */
export const renderOwner = ({ address, privateKey }: DevAccount): string =>
  `  owner      address  ${address}
             key      ${privateKey}
             for a browser wallet: import it, test money only
`;
