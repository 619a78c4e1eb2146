import { createHash } from "node:crypto";
import type { Account } from "../accounts/index.ts";
import type { AgentKey } from "./agent-key.ts";
import type { AtProvider } from "./at-provider.ts";
import { pemOf } from "./public-key.ts";
import type { Quorum, QuorumType } from "./quorum.ts";
import type { QuorumStore } from "./store.ts";

type Parts = {
  readonly store: QuorumStore;
  readonly atProvider: AtProvider;
  readonly agentKey: Pick<AgentKey, "publicKey">;
};

type Request = { readonly account: Account; readonly type: QuorumType; readonly note: string | null };

const displayName = "Countersign agent";

/** Lets this service move an account's wallets: the quorum of its own key, the same for all accounts. */
export const makeUseAgentQuorum = ({ store, atProvider, agentKey }: Parts) =>
  async function useAgentQuorum({ account, type, note }: Request): Promise<Quorum> {
    const publicKey = await agentKey.publicKey();
    const pem = pemOf(publicKey);
    // One name for one key, so that processes that begin at once make one quorum. It is also the quorum's, where there is no
    // provider to give it another.
    const name = `static-agent-quorum-${createHash("sha256").update(pem).digest("hex").slice(0, 32)}`;
    const wish = { displayName, publicKeys: [publicKey], threshold: 1 };
    // A provider remembers such a name for a while only; the record remembers it as long as anybody uses the quorum.
    const quorumId = (await store.findStaticId(pem, name)) ?? (await atProvider.create(wish, name));
    const quorum = {
      ...{ account, type, displayName, quorumId, note },
      ...{ threshold: 1, p256PublicKeys: [pem], isStatic: true },
    };
    await store.put(quorum);
    return quorum;
  };
