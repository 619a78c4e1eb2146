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

/** Lets this service control an account's wallets, with a quorum of its own key that all accounts share. */
export const makeUseAgentQuorum = ({ store, atProvider, agentKey }: Parts) =>
  async function useAgentQuorum({ account, type, note }: Request): Promise<Quorum> {
    const publicKey = await agentKey.publicKey();
    const pem = pemOf(publicKey);
    // One id per key, so that processes that start at once create one quorum. It is also the quorum's id where no
    // provider assigns one.
    const name = `static-agent-quorum-${createHash("sha256").update(pem).digest("hex").slice(0, 32)}`;
    const wish = { displayName, publicKeys: [publicKey], threshold: 1 };
    // A provider remembers an idempotency key only for a while; the database does as long as the quorum is in use.
    const quorumId = (await store.findStaticId(pem, name)) ?? (await atProvider.create(wish, name));
    const quorum = {
      ...{ account, type, displayName, quorumId, note },
      ...{ threshold: 1, p256PublicKeys: [pem], isStatic: true },
    };
    await store.put(quorum);
    return quorum;
  };
