import { systemClock, type Clock } from "@countersign/platform/clock";
import { connectEngine, type Flow } from "@countersign/platform/engine";
import { restSurface } from "@countersign/platform/errors";
import { makeHealth, makeMetrics, operatorRoutes, type ServiceOptions } from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import { currentTraceparent } from "@countersign/platform/trace";
import type { Hex } from "@countersign/wire";
import { makeEnclave } from "./adapters/enclave/index.ts";
import { makeInbox, type RecordedRoot } from "./adapters/inbox/index.ts";
import { makePayloads } from "./adapters/payloads/index.ts";
import { makeRecord } from "./adapters/record/index.ts";
import { makeSimulator } from "./adapters/simulator/index.ts";
import { makeValidator } from "./adapters/validator/index.ts";
import { baseUrlOf, type Config } from "./config.ts";
import { healthRoutes } from "./health/routes.ts";
import { makeKeyring, type Keyring } from "./keys/index.ts";
import { makeNudgeAuthenticator, makeWaitingRoom, nudgeRoutes, type WaitingRoom } from "./nudges/index.ts";
import {
  keyOfGroup,
  keyOfRoot,
  makeFormOpinion,
  makeVerifyAndPost,
  makeVerifyFlow,
  makeVerifyGroupFlow,
  verifyFlowName,
  verifyGroupFlowName,
} from "./verify/index.ts";
import { makeWatch, startWatch, type RunningWatch } from "./watch/index.ts";

const version = "1.0";

/** The whole process, wired but not listening yet. */
export type App = {
  readonly service: ServiceOptions;
  readonly flows: readonly Flow[];
  /** Loads the keys. */
  readonly prepare: () => Promise<{ readonly inbox: Hex; readonly fingerprint: string }>;
  /** Empty without the contract. */
  readonly startWatch: () => readonly RunningWatch[];
  readonly startDraining: () => void;
};

type Outside = ReturnType<typeof reachOut>;

const lowerCase = (text: string): Hex => `0x${text.slice(2).toLowerCase()}`;

/** It starts without these settings, so that it can be inspected alone, and warns at once. */
function warnIfIncomplete({ ORION_KEY, INBOX_ADDRESS }: Config, log: Log): void {
  if (ORION_KEY === undefined)
    log.warn("ORION_KEY is not set: verdicts are made, but the main service does not accept them");
  if (INBOX_ADDRESS === undefined)
    log.warn("INBOX_ADDRESS is not set: only proposals nudged unencrypted can be verified");
}

/** The adapters. Nothing is requested yet. */
function reachOut(config: Config) {
  const { API_URL, INTERNAL_API_URL = API_URL, ORION_KEY = "", ENCLAVE_PROOF_URL, SIMULATOR_URL } = config;
  const inboxContract = lowerCase(config.INBOX_ADDRESS ?? `0x${"00".repeat(20)}`);
  return {
    domain: { chainId: config.HOME_CHAIN_ID, inbox: inboxContract },
    engine: connectEngine({ app: "orion", ingressUrl: config.ENGINE_INGRESS_URL }),
    record: makeRecord({ url: API_URL, internalUrl: INTERNAL_API_URL, key: ORION_KEY }),
    validator: makeValidator({ url: config.VALIDATOR_URL, timeoutMs: config.VALIDATOR_TIMEOUT_MS }),
    simulator:
      SIMULATOR_URL === undefined
        ? undefined
        : makeSimulator({ url: SIMULATOR_URL, timeoutMs: config.SIMULATOR_TIMEOUT_MS }),
    payloads: makePayloads({ url: config.IPFS_URL }),
    inbox: makeInbox({
      chainId: config.HOME_CHAIN_ID,
      rpcUrls: config.RPC_URL,
      address: inboxContract,
      confirmations: config.CONFIRMATIONS,
    }),
    enclave: ENCLAVE_PROOF_URL === undefined ? undefined : makeEnclave({ url: ENCLAVE_PROOF_URL }),
  };
}

const checksOf = ({ engine, record, validator, simulator }: Outside, watch: () => Promise<void>) => [
  // Required: without the engine a nudge cannot be accepted.
  { name: "engine", required: true, run: engine.probe },
  { name: "inbox", required: false, run: watch },
  { name: "api", required: false, run: record.probe },
  { name: "validator", required: false, run: validator.probe },
  ...(simulator === undefined ? [] : [{ name: "simulator", required: false, run: simulator.probe }]),
];

type Desk = {
  readonly config: Config;
  readonly outside: Outside;
  readonly keyring: Keyring;
  readonly room: WaitingRoom;
  readonly clock: Clock;
  readonly log: Log;
};

/** The durable flows from request hashes to posted verdicts. */
function makeDesk({ config, outside, keyring, room, clock, log }: Desk): readonly Flow[] {
  const { record, validator, simulator, domain, inbox, payloads, enclave } = outside;
  const giveUpMs = config.GIVE_UP_SECONDS * 1000;
  const simulatesSealed = config.SIMULATE_SEALED;
  const formOpinion = makeFormOpinion({
    record,
    validator,
    simulator,
    simulatesSealed,
    clock,
    giveUpMs,
    log,
  });
  const verifyAndPost = makeVerifyAndPost({
    ...{ domain, inbox, payloads, record, formOpinion, clock, log },
    keys: keyring.get,
    hintOf: room.find,
    forget: room.remove,
  });
  const parts = { record, verifyAndPost, enclave, clock, log, proofPatienceMs: giveUpMs };
  return [makeVerifyFlow(parts), makeVerifyGroupFlow({ ...parts, inbox, payloads })];
}

/** Starts verifications, in the current trace. */
const makeStarts = ({ engine }: Outside) => ({
  start: (key: Hex): Promise<void> =>
    engine.start(verifyFlowName, { key, attempt: 1, traceparent: currentTraceparent() }),
  startGroup: (requestHashes: readonly Hex[]): Promise<void> =>
    engine.start(verifyGroupFlowName, {
      ...{ key: keyOfGroup(requestHashes), attempt: 1 },
      works: requestHashes.map((key) => ({ key, attempt: 1 })),
    }),
  startRoot: (root: RecordedRoot): Promise<void> =>
    engine.start(verifyGroupFlowName, { key: keyOfRoot(root), attempt: 1 }),
});

/** The public keys. */
function identify(keyring: Keyring) {
  const { signer, unsealer } = keyring.get();
  return { inbox: signer.address, fingerprint: unsealer.fingerprint, pgpPublicKey: unsealer.publicKey };
}

/** The composition root: creates the parts in reading order and passes them to their users. */
export function makeApp(config: Config, log: Log): App {
  const clock = systemClock;
  const metrics = makeMetrics("orion");
  const outside = reachOut(config);
  const keyring = makeKeyring(config, log);
  const room = makeWaitingRoom(clock);
  const flows = makeDesk({ config, outside, keyring, room, clock, log });

  const starts = makeStarts(outside);
  const watch = makeWatch({
    inbox: outside.inbox,
    address: () => keyring.get().signer.address,
    ...starts,
    lookbackBlocks: config.WATCH_LOOKBACK_BLOCKS,
  });
  let watching: RunningWatch | undefined;
  const health = makeHealth({ clock, log, checks: checksOf(outside, async () => watching?.probe()) });

  return {
    service: {
      title: "Countersign orion",
      description:
        "The verification service: receives proposals, has them checked, signs and posts the verdict.",
      version,
      baseUrl: baseUrlOf(config),
      routes: [
        ...healthRoutes({ health, version, identify: () => identify(keyring) }),
        ...nudgeRoutes({ room, ...starts }),
        ...operatorRoutes({ health, metrics }),
      ],
      surface: restSurface,
      authenticators: [makeNudgeAuthenticator(config.NUDGE_TOKEN)],
      isDraining: health.isDraining,
      log,
      metrics,
      clock,
    },
    flows,
    prepare: async () => {
      warnIfIncomplete(config, log);
      await keyring.load();
      return identify(keyring);
    },
    startWatch: () => {
      if (config.INBOX_ADDRESS === undefined) return [];
      watching = startWatch(watch, { everyMs: config.WATCH_EVERY_MS, log });
      return [watching];
    },
    startDraining: health.startDraining,
  };
}
