export { devAccounts, readChainId, startAnvil, type Anvil, type DevAccount } from "./anvil.ts";
export { basicEnvironment } from "./environment.ts";
export { startIpfs, type Ipfs } from "./ipfs.ts";
export { freePortRange, freePorts, isPortFree } from "./ports.ts";
export { removePostgres } from "./postgres-home.ts";
export { ensureDatabase, startPostgres, withClient, type Postgres } from "./postgres.ts";
export { startReplicatedPostgres, type ReplicatedPostgres } from "./replicated-postgres.ts";
export { identifyProcess, isRunning, type ProcessIdentity } from "./process-identity.ts";
export { startRedis, type Redis } from "./redis.ts";
export {
  startRestate,
  startRestateCluster,
  type Restate,
  type RestateCluster,
  type RestatePorts,
} from "./restate.ts";
export { makeSupervisor, type Child, type ChildExit, type ChildSpec, type Supervisor } from "./supervisor.ts";
export { fetchOk, waitUntil } from "./wait.ts";
