import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { asService, withClient } from "../engines/postgres.ts";

export const templateName = "template_countersign";

export type TestDatabase = {
  /** As the owner of the tables. */
  readonly url: string;
  /** As the role that the service runs with. */
  readonly serviceUrl: string;
  readonly drop: () => Promise<void>;
};

/** An empty, migrated database for one test file. */
export async function makeTestDatabase(): Promise<TestDatabase> {
  const server = inject("postgresUrl");
  const name = `test_${randomBytes(8).toString("hex")}`;
  const run = (statement: string): Promise<unknown> =>
    withClient(server, (client) => client.query(statement));
  await run(`create database ${name} template ${templateName}`);
  const { href: url } = Object.assign(new URL(server), { pathname: name });
  return {
    url,
    serviceUrl: asService(url),
    // With force: a pool that a test forgot to close must not make the clean-up fail.
    drop: async () => {
      await run(`drop database if exists ${name} with (force)`);
    },
  };
}
