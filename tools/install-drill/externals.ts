// The components that an operator brings: PostgreSQL with both roles, Restate with its key, IPFS and a chain.
import { join } from "node:path";
import {
  ensureDatabase,
  freePorts,
  startAnvil,
  startIpfs,
  startPostgres,
  startRestate,
  withClient,
  type Supervisor,
} from "../engines/index.ts";

export type Externals = {
  readonly urls: {
    /** As the role of the service. */
    readonly database: string;
    /** As the owner of the tables. */
    readonly migration: string;
    readonly restateIngress: string;
    readonly restateAdmin: string;
    readonly ipfs: string;
    readonly chain: string;
  };
  readonly identityKey: string;
  readonly chainId: number;
};

const http = (port: number): string => `http://127.0.0.1:${port}`;

export async function startExternals(supervisor: Supervisor, dir: string): Promise<Externals> {
  const [postgresPort = 0, ingress = 0, admin = 0, node = 0, anvilPort = 0, ipfsPort = 0] =
    await freePorts(6);
  const [postgres, restate, anvil] = await Promise.all([
    startPostgres({ supervisor, dir: join(dir, "postgres"), port: postgresPort }),
    startRestate({ supervisor, dir: join(dir, "restate"), ports: { ingress, admin, node } }),
    startAnvil({ supervisor, dir: join(dir, "anvil"), port: anvilPort }),
    startIpfs({ supervisor, dir: join(dir, "ipfs"), port: ipfsPort }),
  ]);
  await ensureDatabase(postgres.url("postgres"), "countersign");
  const migration = postgres.url("countersign");
  await withClient(migration, (client) => client.query("create role countersign_api login"));
  return {
    urls: {
      migration,
      database: Object.assign(new URL(migration), { username: "countersign_api" }).href,
      ...{
        restateIngress: http(ingress),
        restateAdmin: http(admin),
        ipfs: http(ipfsPort),
        chain: http(anvilPort),
      },
    },
    identityKey: restate.identityKey,
    chainId: anvil.chainId,
  };
}
