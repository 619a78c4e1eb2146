import pg from "pg";
import { listHosts } from "../database-hosts.ts";
import { makePrimaryFinder, roleQuery, type PrimaryFinder, type Role } from "./find-primary.ts";

/** Connects to the host that is the primary when it is called. The pool makes its connections with it. */
const clientOf = (finder: PrimaryFinder): typeof pg.Client =>
  class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
    override connect(callback?: (error: never, client: never) => void): Promise<pg.Client> | undefined {
      const connecting = finder.find().then(async (url) => {
        const { hostname, port } = new URL(url);
        [this.host, this.port] = [hostname, port === "" ? 5432 : Number(port)];
        try {
          await super.connect();
        } catch (error) {
          finder.forget();
          throw error;
        }
        return this;
      });
      if (callback === undefined) return connecting;
      connecting.then(
        (client) => {
          callback(null as never, client as never);
        },
        (error: unknown) => {
          callback(error as never, undefined as never);
        },
      );
      return undefined;
    }
  };

/**
 * Makes a pool for a URL with one or more hosts. With several it connects to the primary, checks that on each new
 * connection, and finds the next primary after a failover.
 */
export function makePool({ connectionString, ...options }: pg.PoolConfig): pg.Pool {
  const urls = listHosts(connectionString ?? "");
  if (urls === undefined || urls.length === 1) return new pg.Pool({ connectionString, ...options });
  const finder = makePrimaryFinder({ urls });
  return new pg.Pool({
    ...options,
    connectionString: urls[0],
    Client: clientOf(finder),
    verify: (client, done) => {
      client
        .query<Role>(roleQuery)
        .then(({ rows }) => {
          finder.check(rows[0] ?? { isPrimary: false, timeline: 0 });
          done();
        })
        .catch((error: unknown) => {
          done(error instanceof Error ? error : new Error("The database's host could not be checked."));
        });
    },
  });
}
