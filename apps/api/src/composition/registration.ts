// Composition of registration: the wallet that records proposals on the home chain, and what it records.
import type { Clock } from "@countersign/platform/clock";
import type { Log } from "@countersign/platform/log";
import { makeInbox, type Inbox } from "../adapters/inbox/index.ts";
import { connectIpfs } from "../adapters/ipfs/index.ts";
import { makeOwnWallet } from "../adapters/own-wallet/index.ts";
import type { Config } from "../config.ts";
import type { ServiceStore } from "../directory/index.ts";
import type { Db } from "../platform/db/connect.ts";
import { makeOwnSigner, makeOwnTransactionStore } from "../platform/own-wallet/index.ts";
import type { SecretStore } from "../platform/secrets/index.ts";
import { makeRegistrar, type Registrar } from "../transactions/record/registrar.ts";
import { makeSealLate } from "../transactions/record/seal-late.ts";
import type { RegistrationStore, TransactionStore } from "../transactions/store/index.ts";
import type { Transition } from "../transactions/transition.ts";

type Parts = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: SecretStore;
  readonly store: TransactionStore;
  readonly transition: Transition;
  readonly registrations: RegistrationStore;
  readonly services: Pick<ServiceStore, "findService">;
};

/** Returns the inbox for proposals if its address and a node for its chain are configured. */
function chooseInbox({ config, secrets, log }: Pick<Parts, "config" | "secrets" | "log">): Inbox | undefined {
  const { HOME_CHAIN_ID: chainId, INBOX_ADDRESS: address } = config;
  const rpcUrls = config.RPC_URLS[chainId];
  if (address === undefined) return undefined;
  if (rpcUrls === undefined) {
    log.warn(
      "RPC_URLS has no node for the home chain: proposals are stored, but not registered on the chain",
    );
    return undefined;
  }
  const wallet = makeOwnWallet({
    ...{ chainId, rpcUrls, signer: makeOwnSigner("recorder", config, secrets) },
    confirmations: config.REGISTRATION_CONFIRMATIONS,
  });
  return makeInbox({ wallet, address: address as `0x${string}` });
}

export function chooseRegistrar(parts: Parts): Registrar {
  const { config, db, clock, log, store, transition, registrations, services } = parts;
  return makeRegistrar({
    ...{ registrations, transition, log },
    sealLate: makeSealLate({ store, transition, findService: services.findService, clock }),
    ipfs: connectIpfs(config),
    inbox: chooseInbox(parts),
    homeChainId: config.HOME_CHAIN_ID,
    ownTransactions: makeOwnTransactionStore(db),
    // One after the other, each sent once the one before is in a block. Where that takes several blocks, one for each of them.
    atOnce: config.REGISTRATION_CONFIRMATIONS,
  });
}
