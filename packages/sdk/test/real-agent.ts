// An owner and their agent on the real system. The owner approves what passes verification, and rejects what could not be
// verified.
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from "viem/accounts";
import { createCountersign, type Countersign } from "../src/index.ts";
import { fetchTrust, type Trust } from "../src/receipt/index.ts";
import type { Hex, TransactionView } from "../src/types.ts";
import { signIn } from "../src/viem/index.ts";

export type RealAgent = {
  readonly account: PrivateKeyAccount;
  readonly owner: Countersign;
  readonly agent: Countersign;
  readonly trust: Trust;
  /** The options of a guard, for a request. Links to the owner's page are collected in `links`. */
  readonly optionsFor: (words: string) => {
    readonly countersign: Countersign;
    readonly words: string;
    readonly trust: Trust;
    readonly onReview: (reviewUrl: string) => void;
    readonly onProgress: (view: TransactionView) => void;
  };
  readonly links: readonly string[];
};

/** A running system. */
type Running = {
  readonly urls: { readonly api: string; readonly anvil: string };
  readonly deployment: { readonly serviceRegistry: Hex; readonly inbox: Hex };
};

export async function makeRealAgent(stage: Running): Promise<RealAgent> {
  const account = privateKeyToAccount(generatePrivateKey());
  const { api: url, anvil: rpcUrl } = stage.urls;
  const owner = createCountersign({ url, session: await signIn({ url, wallet: account }) });
  const { secret } = await owner.keys.create({ name: "agent" });
  const agent = createCountersign({ url, apiKey: secret });
  const { serviceRegistry, inbox } = stage.deployment;
  const trust = await fetchTrust({ rpcUrl, serviceRegistry, inbox, serviceId: 1 });
  const links: string[] = [];
  const optionsFor: RealAgent["optionsFor"] = (words) => {
    const decided = new Set<string>();
    return {
      ...{ countersign: agent, words, trust },
      onReview: (reviewUrl) => void links.push(reviewUrl),
      onProgress: ({ requestHash, approvals }) => {
        const [verdict] = approvals.orion;
        if (verdict === undefined || verdict.decision === "REJECTED" || decided.has(requestHash)) return;
        decided.add(requestHash);
        // A failed decision shows as a timeout of the wallet.
        void (verdict.decision === "APPROVED" ? owner.approve(requestHash) : owner.reject(requestHash));
      },
    };
  };
  return { account, owner, agent, trust, optionsFor, links };
}
