// Our services as processes that a test can kill and start again with other settings.
import type { Deployment } from "@countersign/contracts/deploy";
import { startApi, startOrion, startValidator } from "../dev/apps.ts";
import type { StackUrls } from "../dev/parts.ts";
import { freePorts } from "../engines/ports.ts";
import type { Child } from "../engines/supervisor.ts";
import type { FaultyProxy } from "./faulty-proxy.ts";
import type { Environment, Ground } from "./ground.ts";
import { settingsWith, type StageWorld } from "./world.ts";

/** One of our services. */
export type Actor = {
  /** Returns once it listens. One that runs is killed first. */
  readonly start: (env?: Environment) => Promise<Child>;
  /** Ends it as a power cut would. */
  readonly kill: () => Promise<void>;
};

type Name = "api" | "orion" | "validator";
export type Actors = Readonly<Record<Name, Actor>>;

/** Who is asked through a proxy: the validator by orion, the gateway and the chain by both, orion and the api by each other. */
type Neighbour = "validator" | "ipfs" | "anvil" | "orion" | "api";
export type Proxies = Readonly<Record<Neighbour, FaultyProxy>>;

/** Limits that no test meets by accident, and intervals that no test has to wait for. */
const settings: Readonly<Record<Name, Environment>> = {
  api: {
    TRANSACTIONS_PER_MINUTE_PER_IP: "1000000",
    TRANSACTIONS_PER_MINUTE_PER_USER: "1000000",
    TRANSACTIONS_PER_MINUTE_PER_KEY: "1000000",
    READS_PER_MINUTE_PER_IP: "1000000",
    NUDGE_SECONDS: "2",
    VERDICT_SECONDS: "60",
    MINIMUM_DEADLINE_SECONDS: "1",
    SWEEP_EVERY_MS: "200",
    WATCH_EVERY_MS: "100",
    MIRROR_EVERY_MS: "500",
    SENDER_TIMEOUT_MS: "1500",
  },
  orion: { WATCH_EVERY_MS: "300" },
  // Each worker takes seconds of CPU time to start.
  validator: { VALIDATE_WORKERS: "1" },
};

function makeActor(begin: (env: Environment) => Promise<Child>): Actor {
  let child: Child | undefined;
  const kill = async (): Promise<void> => {
    if (child?.exitReason() === undefined) await child?.kill();
  };
  return {
    kill,
    start: async (env = {}) => {
      await kill();
      child = await begin(env);
      return child;
    },
  };
}

type Cast = Ground & {
  /** Settings of every service. */
  readonly env: Environment;
  /** The chain with real contracts, if the stage was set with one. */
  readonly world: StageWorld | undefined;
  readonly proxies: Proxies;
  readonly deployment: Deployment;
  readonly identityKey: string;
};

/** Each listens where it should, and meets its neighbours through the proxies. */
export function castActors({ supervisor, dir, urls, proxies, deployment, identityKey, ...given }: Cast): {
  readonly actors: Actors;
  readonly startAnotherApi: () => Promise<string>;
  /** Runs the flows in a process of its own, instead of the API's. */
  readonly worker: Actor;
} {
  const common = { supervisor, dir, deployment, identityKey };
  const neighbours = {
    ...urls,
    validator: proxies.validator.url,
    ipfs: proxies.ipfs.url,
    anvil: proxies.anvil.url,
  };
  const { env: shared, world } = given;
  const homeNode = `${deployment.chainId}=${neighbours.anvil}`;
  const ofWorld = world === undefined ? undefined : settingsWith(world, { homeNode, urls });
  const beginApi = (env: Environment, { api, worker }: Pick<StackUrls, "api" | "worker">): Promise<Child> =>
    startApi({
      ...common,
      urls: { ...neighbours, orion: proxies.orion.url, api, worker },
      env: { ...settings.api, ...ofWorld?.api, ...shared, ...env },
    });
  const actors: Actors = {
    validator: makeActor((env) =>
      startValidator({
        ...{ supervisor, urls },
        env: { ...settings.validator, ...ofWorld?.validator, ...shared, ...env },
      }),
    ),
    api: makeActor((env) => beginApi(env, urls)),
    orion: makeActor((env) =>
      startOrion({
        ...common,
        urls: { ...neighbours, api: proxies.api.url },
        env: { ...settings.orion, ...ofWorld?.orion, ...shared, ...env },
      }),
    ),
  };
  const startAnotherApi = async (): Promise<string> => {
    const [api, worker] = (await freePorts(2)).map((port) => `http://127.0.0.1:${port}`);
    if (api === undefined || worker === undefined) throw new Error("no free ports");
    // To the world both are one service, at one address.
    await beginApi({ BASE_URL: urls.api }, { api, worker });
    return api;
  };
  const worker = makeActor((env) => beginApi({ ...env, ROLE: "worker" }, urls));
  return { actors, startAnotherApi, worker };
}
