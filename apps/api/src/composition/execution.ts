// Composition of execution: which keeper sends, after which preflight, and how the transaction is watched.
import type { Clock } from "@countersign/platform/clock";
import type { Log } from "@countersign/platform/log";
import type { WireDomain } from "@countersign/wire";
import { makeChainSimulator, type ChainReader } from "../adapters/chain/index.ts";
import type { Config } from "../config.ts";
import type { CustodySenders } from "../custody/index.ts";
import type { makeFindWalletToSendFrom, makeOpenSender } from "../quorums/index.ts";
import { makeCheckAttestation, type Services } from "../transactions/decide/check-attestation.ts";
import { makeExecute } from "../transactions/execute/execute.ts";
import type { Transition } from "../transactions/transition.ts";
import { makeBeginExecution, type BeginExecution } from "../transactions/execute/begin-execution.ts";
import { makeFollow } from "../transactions/execute/follow.ts";
import { makeGiveUp, makeAbandonIfStale } from "../transactions/execute/outcome.ts";
import { makeReadVerdict, type ReadVerdict } from "../transactions/execute/read-verdict.ts";
import { makeSend } from "../transactions/execute/send.ts";
import { makeSenders, type Senders } from "../transactions/senders.ts";
import { makeTakeSnapshot, type TakeSnapshot } from "../transactions/execute/take-snapshot.ts";
import { makePreflight, type Preflight } from "../transactions/execute/preflight/index.ts";
import type { TransactionStore } from "../transactions/store/index.ts";
import { makeSightings } from "../transactions/watch/index.ts";

/** The keepers of wallets that can send from them. */
export type Keepers = {
  readonly custody: CustodySenders;
  readonly quorums: {
    readonly findWalletToSendFrom: ReturnType<typeof makeFindWalletToSendFrom>;
    readonly openSender: ReturnType<typeof makeOpenSender>;
  };
};

type Parts = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly store: TransactionStore;
  readonly transition: Transition;
  readonly senders: Senders;
  readonly domain: WireDomain;
  readonly services: Services;
  readonly readers: ReadonlyMap<number, ChainReader>;
};

export type Execution = {
  /** Undefined if there is no node for that chain. */
  readonly chainOf: ReturnType<typeof connectChains>;
  readonly beginExecution: BeginExecution;
  readonly readVerdict: ReadVerdict;
  readonly preflight: Preflight;
  readonly takeSnapshot: TakeSnapshot;
  readonly execute: ReturnType<typeof makeExecute>;
};

export const chooseSenders = ({ custody, quorums }: Keepers): Senders =>
  makeSenders({
    custodian: { find: custody.findIntegration, openSender: custody.openSender },
    provider: { find: quorums.findWalletToSendFrom, openSender: quorums.openSender },
  });

/** Joins the reader and the simulator of each chain that has a node. */
function connectChains({ RPC_URLS }: Config, readers: Parts["readers"]) {
  const chains = new Map(
    [...readers].flatMap(([chainId, reader]) => {
      const rpcUrls = RPC_URLS[chainId];
      return rpcUrls === undefined
        ? []
        : [[chainId, { ...reader, ...makeChainSimulator({ chainId, rpcUrls }) }] as const];
    }),
  );
  return (chainId: number) => chains.get(chainId);
}

export function makeExecution(parts: Parts): Execution {
  const { config, clock, log, store, transition, senders } = parts;
  const chainOf = connectChains(config, parts.readers);
  const beginExecution = makeBeginExecution({ store, transition });
  const readVerdict = makeReadVerdict({
    store,
    checkAttestation: makeCheckAttestation({ ...parts.services, domain: parts.domain, clock }),
  });
  const preflight = makePreflight({
    ...{ chainOf, clock, readSnapshot: store.readSnapshot, readReport: (id: string) => store.readReport(id) },
    toleranceBps: config.SNAPSHOT_TOLERANCE_BPS,
  });
  const giveUp = makeGiveUp({ transition });
  const abandonIfStale = makeAbandonIfStale({ store, giveUp, clock });
  const send = makeSend({ store, transition, senders, readVerdict, preflight, giveUp, abandonIfStale, log });
  const sightingsOf = (chain: Parameters<typeof makeSightings>[0]["chain"]) =>
    makeSightings({ transition, chain });
  const follow = makeFollow({
    store,
    transition,
    senders,
    chainOf,
    sightingsOf,
    giveUp,
    abandonIfStale,
    clock,
    log,
  });
  return {
    ...{ chainOf, beginExecution, readVerdict, preflight },
    takeSnapshot: makeTakeSnapshot({ log, store, senders, chainOf }),
    execute: makeExecute({ store, senders, beginExecution, send, follow, clock }),
  };
}
