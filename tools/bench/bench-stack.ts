// The whole stack for a bench: as `npm run dev` has it, without its limits.
import { registerOrion, registerWorker, startApi, startOrion, startValidator } from "../dev/apps.ts";
import { openDataDir } from "../dev/data-dir.ts";
import { databaseName, urlsOf, type StackUrls } from "../dev/parts.ts";
import { portCount, portsFrom } from "../dev/ports.ts";
import { seedStack } from "../dev/seed-stack.ts";
import { ensureServerKeys } from "../dev/server-keys.ts";
import { startAnvil } from "../engines/anvil.ts";
import {
  ensureDatabase,
  fetchOk,
  freePortRange,
  startPostgres,
  startRestate,
  type Supervisor,
} from "../engines/index.ts";
import { startIpfs } from "../engines/ipfs.ts";
import { noLimits, signUp, type Agent } from "./bench-transactions-stage.ts";

type Options = {
  readonly supervisor: Supervisor;
  readonly dir: string;
  /** Where the services reach the chain, given its own address. */
  readonly chainUrlFor?: (anvilUrl: string) => Promise<string>;
  readonly postgresSettings?: readonly string[];
};

export type Running = { readonly urls: StackUrls; readonly adminKey: string };

export async function startStack(options: Options): Promise<Running> {
  const { supervisor, dir: home, chainUrlFor } = options;
  const dir = openDataDir(`${home}/stack`);
  const ports = portsFrom(String(await freePortRange(portCount)));
  const urls = urlsOf(ports);
  const { restateIngress: ingress, restateAdmin: admin, restateNode: node } = ports;
  const postgres = await startPostgres({
    supervisor,
    dir: `${home}/verdicts-postgres`,
    port: ports.postgres,
    settings: options.postgresSettings ?? [],
  });
  await ensureDatabase(postgres.url("postgres"), databaseName);
  const [{ identityKey }] = await Promise.all([
    startRestate({ supervisor, dir: dir.restate, ports: { ingress, admin, node } }),
    startAnvil({ supervisor, dir: dir.anvil, port: ports.anvil }),
    startIpfs({ supervisor, dir: dir.ipfs, port: ports.ipfs }),
  ]);
  const deployment = await seedStack({ urls, dir });
  await startValidator({ supervisor, urls });
  const anvil = chainUrlFor === undefined ? urls.anvil : await chainUrlFor(urls.anvil);
  const app = { supervisor, urls: { ...urls, anvil }, identityKey, dir, deployment };
  await registerWorker({ supervisor, urls, api: await startApi({ ...app, env: noLimits }) });
  await registerOrion({ supervisor, urls, orion: await startOrion(app) });
  return { urls, adminKey: ensureServerKeys(dir.serverKeysFile).admin };
}

/** Signs up an owner whose own wallet executes, so that both forms of a proposal are allowed. */
export async function signUpDirectUser(api: string): Promise<Agent> {
  const agent = await signUp(api);
  await fetchOk(`${api}/settings`, {
    method: "PUT",
    headers: { "content-type": "application/json", authorization: agent.authorization },
    body: JSON.stringify({ executionType: 0 }),
  });
  return agent;
}
