// Composition of transactions: proposed, verified, decided and executed.
import type { Clock } from "@countersign/platform/clock";
import type { Flow } from "@countersign/platform/engine";
import type { Metrics, Route } from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import type { Running } from "@countersign/platform/process";
import type { WireDomain } from "@countersign/wire";
import { makeAccountStore, makeWalletStore, rememberAccounts, type AccountStore } from "../accounts/index.ts";
import { makePauseStore } from "../agents/store/pauses.ts";
import type { ChainReader } from "../adapters/chain/index.ts";
import { makeOrion } from "../adapters/orion/index.ts";
import type { LimitedWallets } from "../adapters/wallets/index.ts";
import { makeChainReaders } from "./chain-readers.ts";
import { makeCosigning } from "./cosigning.ts";
import { chooseSenders, makeExecution, type Execution, type Keepers } from "./execution.ts";
import { chooseRegistrar } from "./registration.ts";
import { makeSweep } from "./sweep-transactions.ts";
import { makeWaits } from "./waits.ts";
import { baseUrlOf, watchedChainsOf, type Config } from "../config.ts";
import { makeServiceStore, type ServiceStore } from "../directory/index.ts";
import {
  makeEventStore,
  makeFollowAccount,
  makeTail,
  type FollowAccount,
  type KeepAlive,
  type Tail,
} from "../events/index.ts";
import { eventRoutes } from "../events/routes.ts";
import { makeLiveStreams } from "../events/live-streams.ts";
import { makeOpenStream } from "../events/stream.ts";
import { makePgpKeyStore } from "../pgp-keys/index.ts";
import type { Db } from "../platform/db/connect.ts";
import type { Flows, FlowStore } from "../platform/flows/index.ts";
import { makeIdempotency, makeIdempotencyStore, type Idempotency } from "../platform/idempotency/index.ts";
import { makeOwnTransactionStore } from "../platform/own-wallet/index.ts";
import type { SecretStore } from "../platform/secrets/index.ts";
import { makeReadSettings } from "../settings/settings.ts";
import { makeSettingsStore } from "../settings/store.ts";
import { makeProposeTransaction, type ProposeTransaction } from "../transactions/propose/propose.ts";
import { makeReopen, type Reopen } from "../transactions/grant/reopen.ts";
import { makeRecord } from "../transactions/record/record.ts";
import { makeRelease } from "../transactions/release/release.ts";
import { releaseRoutes } from "../transactions/release/routes.ts";
import { contentRoutes } from "../transactions/verify/routes.ts";
import { makeReadAwaiting } from "../transactions/verify/unsealed.ts";
import { makeGiveUpWaiting } from "../transactions/verify/give-up.ts";
import { makeNudgeOrion } from "../transactions/verify/nudge-orion.ts";
import { standingsRoutes } from "../transactions/verify/routes-standings.ts";
import { makeReadStandings } from "../transactions/verify/standings.ts";
import { makeVerificationFlow } from "../transactions/verify/verification-flow.ts";
import { makeDecide } from "../transactions/decide/decide.ts";
import { makeAttest } from "../transactions/attest/attest.ts";
import { dropOnChange, makeApprovalStatus } from "../transactions/decide/approval-status.ts";
import { makeCheckAttestation, makeRequireAttestation } from "../transactions/decide/check-attestation.ts";
import { makeTransition, type Transition } from "../transactions/transition.ts";
import { makeFindEscrowOwner, type FindEscrowOwner } from "../transactions/propose/escrow-owner.ts";
import { makeExecuteForOwner } from "../transactions/execute/execute-for-owner.ts";
import type { Senders } from "../transactions/senders.ts";
import { makeTransactionFlow } from "../transactions/flow.ts";
import { makeCheckIntent } from "../transactions/propose/intent-signature.ts";
import { makeListTransactions, makeReadTransaction } from "../transactions/record/read-transactions.ts";
import { makeFindRegistration } from "../transactions/attest/find-registration.ts";
import { makeReadReceipt, makeReadReceiptWithBundle } from "../transactions/attest/receipt.ts";
import { chainRoutes } from "../transactions/watch/routes.ts";
import { executeRoutes } from "../transactions/execute/routes.ts";
import { decideRoutes } from "../transactions/decide/routes.ts";
import { internalRoutes } from "../transactions/attest/routes.ts";
import { proposeRoutes } from "../transactions/propose/routes.ts";
import { readRoutes } from "../transactions/read/routes.ts";
import {
  makeRegistrationStore,
  makeTransactionStore,
  type RegistrationStore,
  type TransactionStore,
} from "../transactions/store/index.ts";
import type { Registrar } from "../transactions/record/registrar.ts";
import { makeWatchStore, startWatching, traceChanges } from "../transactions/watch/index.ts";
import { makeWithdraw } from "../transactions/decide/withdraw.ts";
import { makeReadTrace } from "../transactions/read-trace.ts";

type Parts = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly flowStore: FlowStore;
  readonly flows: Flows;
  readonly secrets: SecretStore;
  readonly wallets: LimitedWallets;
  /** The keepers that can send for an account. */
  readonly keepers: Keepers;
  /** The services that proposals are for and verdicts are from, cached for a moment. */
  readonly services: ServiceStore;
};

/** The parts that several functions here share. */
type Core = Parts & {
  readonly store: TransactionStore;
  readonly transition: Transition;
  readonly tail: Tail;
  readonly domain: WireDomain;
  readonly idempotency: Idempotency;
  readonly senders: Senders;
  readonly execution: Execution;
  readonly findEscrowOwner: FindEscrowOwner;
  readonly accounts: Pick<AccountStore, "find">;
  readonly registrations: RegistrationStore;
  readonly registrar: Registrar;
  readonly readers: ReadonlyMap<number, ChainReader>;
};

/** The use cases of transactions, so that other entry points (such as MCP) behave like the endpoints. */
export type TransactionsApi = {
  readonly store: TransactionStore;
  readonly proposeTransaction: ProposeTransaction;
  readonly proposalLimits: ReturnType<typeof proposalLimitsOf>;
  readonly status: ReturnType<typeof makeApprovalStatus>;
  readonly tail: Tail;
  readonly follow: FollowAccount;
  readonly keepAlive: KeepAlive;
  readonly reopen: Reopen;
};

type Transactions = {
  readonly offered: TransactionsApi;
  readonly routes: readonly Route[];
  readonly durableFlows: readonly Flow[];
  /** Expires overdue transactions, reminds owners and deletes some old rows. Returns how many rows changed. */
  readonly sweep: () => Promise<number>;
  /** Starts a worker's background tasks other than flows. */
  readonly startWork: () => Running;
  /** Ends open streams and answers long polls, which would otherwise delay a shutdown. */
  readonly endWaits: () => void;
  readonly close: () => Promise<void>;
};

/** The longest time an event stream outlives its credential. */
const streamsCheckedEveryMs = 2_000;
/** Per IP address, where the specification sets no limit. */
const perMinute = 6_000;
const nowhere = "0x0000000000000000000000000000000000000000";

/** Binds request hashes to this installation, so that another installation's hashes differ. */
export const domainOf = ({ HOME_CHAIN_ID: chainId, INBOX_ADDRESS: inbox = nowhere }: Config): WireDomain => ({
  chainId,
  inbox: inbox as `0x${string}`,
});

/** Requests per minute. */
const proposalLimitsOf = (config: Config) => ({
  perIp: config.TRANSACTIONS_PER_MINUTE_PER_IP,
  perUser: config.TRANSACTIONS_PER_MINUTE_PER_USER,
  perKey: config.TRANSACTIONS_PER_MINUTE_PER_KEY,
});

function makePropose(core: Core): ProposeTransaction {
  const { config, db, clock, log, flowStore, flows, wallets, store, transition, tail, domain } = core;
  const { idempotency, findEscrowOwner, senders } = core;
  const readSettings = makeReadSettings({ store: makeSettingsStore(db) });
  const { poke } = tail;
  return makeProposeTransaction({
    ...{ idempotency, clock, findEscrowOwner, findSender: senders.find },
    watchedChains: watchedChainsOf(config),
    record: makeRecord({ store, transition, flows, idempotency, domain, poke, clock, log }),
    findService: core.services.findService,
    findOwnerKey: makePgpKeyStore(db, flowStore).findCurrent,
    isPaused: makePauseStore(db).isPaused,
    readExecutionType: async (account) => (await readSettings(account)).executionType,
    checkIntent: makeCheckIntent({ wallets, clock }),
    uiUrl: config.UI_URL,
    pendingSeconds: config.PENDING_SECONDS,
    minimumDeadlineSeconds: config.MINIMUM_DEADLINE_SECONDS,
  });
}

function makeDeciding(core: Core, status: ReturnType<typeof makeApprovalStatus>): readonly Route[] {
  const { config, db, store, transition, domain, accounts, services } = core;
  const { idempotently } = core.idempotency;
  const { findService } = makeServiceStore(db);
  const findRegistration = makeFindRegistration({
    registrations: core.registrations,
    ownTransactions: makeOwnTransactionStore(db),
  });
  const checkAttestation = makeCheckAttestation({ ...services, domain, clock: core.clock });
  const requireAttestation = makeRequireAttestation(services);
  const readTransaction = makeReadTransaction({ store, accounts });
  const readReceipt = makeReadReceipt({ readTransaction, store, findService, domain, findRegistration });
  return [
    ...decideRoutes({
      decide: makeDecide({ store, transition, accounts, checkAttestation, requireAttestation, idempotently }),
      withdraw: makeWithdraw({ transition }),
      readTransaction,
      decisionsPerMinute: perMinute,
    }),
    ...releaseRoutes({
      release: makeRelease({ store, transition, readVerdict: core.execution.readVerdict }),
      readTransaction,
      releasesPerMinute: perMinute,
    }),
    ...readRoutes({
      ...{ status, readTransaction, readReceipt, readContextLogs: store.readContextLogs },
      readTrace: makeReadTrace(core.flowStore),
      readReceiptWithBundle: makeReadReceiptWithBundle({ store, readReceipt }),
      listTransactions: makeListTransactions({ store, accounts }),
      baseUrl: baseUrlOf(config),
      readsPerMinute: config.READS_PER_MINUTE_PER_IP,
    }),
    ...internalRoutes({ attest: makeAttest({ store, transition }), metadataPerMinute: perMinute }),
    ...contentRoutes({ readAwaiting: makeReadAwaiting({ store }), readsPerMinute: perMinute }),
    ...standingsRoutes({ readStandings: makeReadStandings({ store }), readsPerMinute: perMinute }),
  ];
}

function makeSending({
  store,
  transition,
  senders,
  execution,
  findEscrowOwner,
  idempotency,
}: Core): readonly Route[] {
  const { beginExecution } = execution;
  const { idempotently } = idempotency;
  const executeForOwner = makeExecuteForOwner({
    ...{ store, transition, senders, beginExecution, findEscrowOwner, idempotently },
  });
  return executeRoutes({ executeForOwner });
}

function makeDurableFlows(core: Core): readonly Flow[] {
  const { config, clock, log, flowStore, store, transition, execution, registrar, registrations } = core;
  const { execute, takeSnapshot } = execution;
  const { NUDGE_TOKEN: token, ORION_URL: url } = config;
  const orion = token === undefined ? undefined : makeOrion({ url, token });
  const { settleIfTold } = makeAttest({ store, transition });
  return [
    makeVerificationFlow({
      ...{ flowStore, store, registrar, takeSnapshot, clock, log },
      nudgeOrion: makeNudgeOrion({ orion, registrations, log }),
      giveUp: makeGiveUpWaiting({ transition }),
      verdictSeconds: config.VERDICT_SECONDS,
      nudgeSeconds: config.NUDGE_SECONDS,
    }),
    makeTransactionFlow({ flowStore, clock, store, execute, attest: settleIfTold }),
  ];
}

/** Watches every chain that has a node. */
function startWork({ config, db, transition: changes, log, flowStore, readers }: Core): Running {
  const chains = [...readers.values()];
  const everyMs = config.WATCH_EVERY_MS;
  const transition = traceChanges(changes, makeReadTrace(flowStore));
  const { stop } = startWatching({ chains, store: makeWatchStore(db), transition, log, everyMs });
  return { close: stop };
}

const listChains = ({ config, db }: Core): readonly Route[] =>
  chainRoutes({
    ...{ watchedChains: watchedChainsOf(config), store: makeWatchStore(db) },
    readsPerMinute: config.READS_PER_MINUTE_PER_IP,
  });

const makeStore = ({ config, db }: Parts) =>
  makeTransactionStore({
    db,
    watchedChains: watchedChainsOf(config),
    approvedSeconds: config.APPROVED_SECONDS,
    compactStorage: config.COMPACT_STORAGE,
  });

const makeStreams = ({ config, log }: Parts) =>
  makeLiveStreams({ log, everyMs: streamsCheckedEveryMs, perAccount: config.EVENT_STREAMS_PER_ACCOUNT });

export function makeTransactions(parts: Parts): Transactions {
  const { config, db, clock, log, flows } = parts;
  const store = makeStore(parts);
  const events = makeEventStore(db);
  const tail = makeTail({ store: events, log, everyMs: 200 });
  const { keepAlive, endWaits, ...waiting } = makeWaits(tail);
  const status = makeApprovalStatus({ store, clock, ...waiting });
  const transition = dropOnChange(makeTransition({ store, flows, poke: tail.poke }), status.drop);
  const senders = chooseSenders(parts.keepers);
  const domain = domainOf(config);
  const accounts = rememberAccounts(makeAccountStore(db));
  const readers = makeChainReaders(parts);
  const registered = {
    ...{ ...parts, store, transition, tail, domain, senders, accounts, readers },
    idempotency: makeIdempotency({ store: makeIdempotencyStore(db) }),
    registrations: makeRegistrationStore(db),
    // The last check before anything is sent: without a cache.
    execution: makeExecution({
      ...{ config, clock, log, store, transition, senders, domain, readers },
      services: makeServiceStore(db),
    }),
    findEscrowOwner: makeFindEscrowOwner({ accounts, wallets: makeWalletStore(db) }),
  };
  const core: Core = { ...registered, registrar: chooseRegistrar(registered) };
  const follow = makeFollowAccount({ store: events, tail, keepAlive });
  const streams = makeStreams(parts);
  const proposeTransaction = makePropose(core);
  const proposalLimits = proposalLimitsOf(config);
  return {
    offered: {
      ...{ store, proposeTransaction, proposalLimits, status, tail, follow, keepAlive },
      reopen: makeReopen({ store, transition }),
    },
    routes: [
      ...proposeRoutes({ proposeTransaction, limits: proposalLimits }),
      ...makeDeciding(core, status),
      ...listChains(core),
      ...makeSending(core),
      ...makeCosigning(core),
      ...eventRoutes({ openStream: makeOpenStream(follow), streams }),
    ],
    durableFlows: makeDurableFlows(core),
    sweep: makeSweep(core),
    startWork: () => startWork(core),
    endWaits,
    close: async () => {
      await streams.close();
      tail.close();
    },
  };
}
