// The PostgreSQL of a test run: one server, and one migrated database from which each test file gets a copy.
import { rmSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { migrate } from "../../apps/api/src/platform/db/migrate.ts";
import { freePorts } from "../engines/ports.ts";
import { removePostgres } from "../engines/postgres-home.ts";
import { ensureDatabase, ensureServiceRole, serviceRole, startPostgres } from "../engines/postgres.ts";
import { makeSupervisor } from "../engines/supervisor.ts";
import { templateName } from "./database.ts";
import { makeTempDir } from "./temp-dir.ts";

declare module "vitest" {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be added to
  export interface ProvidedContext {
    postgresUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = makeTempDir("postgres");
  const supervisor = makeSupervisor({
    logDir: `${dir}/logs`,
    onUnexpectedExit: ({ name, reason, logFile }) => {
      console.error(`${name} of this test run ended (${reason}). Its log is ${logFile}`);
    },
  });
  const teardown = async (): Promise<void> => {
    await supervisor.stop();
    removePostgres(`${dir}/postgres`);
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const [port = 0] = await freePorts(1);
    const postgres = await startPostgres({ supervisor, dir: `${dir}/postgres`, port, durable: false });
    await ensureDatabase(postgres.url("postgres"), templateName);
    await ensureServiceRole(postgres.url("postgres"));
    await migrate(postgres.url(templateName), serviceRole);
    project.provide("postgresUrl", postgres.url("postgres"));
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
  return teardown;
}
