import { randomBytes } from "node:crypto";
import { systemClock } from "@countersign/platform/clock";
import { loadConfig } from "@countersign/platform/config";
import { makeLog } from "@countersign/platform/log";
import { makeApiKeys } from "../app-identity.ts";
import { Config } from "../config.ts";
import { connectDatabase } from "../platform/db/connect.ts";
import { loadKeks, makeSecretStore } from "../platform/secrets/index.ts";
import { aTestApi, type TestApi } from "../testing.ts";

export type TestApiWithServerKeys = TestApi & {
  /** The secret of a new server key, as the operator would issue one. */
  readonly issueServerKey: (type: "admin" | "orion") => Promise<string>;
};

/** The whole service, and beside it what only the operator can do: server keys are never issued over HTTP. */
export async function aTestApiWithServerKeys(): Promise<TestApiWithServerKeys> {
  const environment = { SECRETS_KEY: randomBytes(32).toString("base64") };
  const api = await aTestApi(environment);

  const config = loadConfig(Config, environment);
  const log = makeLog({ app: "admin", level: "silent" });
  const { db, close } = connectDatabase({ url: api.databaseUrl, poolSize: 1, log });
  const secrets = makeSecretStore({ db, keks: () => loadKeks(config, log) });
  const { issueKey } = makeApiKeys({ config, db, secrets, clock: systemClock, log });

  return {
    ...api,
    issueServerKey: async (type) => {
      const label = type === "orion" ? "orion" : "user";
      return (await issueKey({ account: null, type, label, name: "a server", expiresAt: null })).secret;
    },
    close: async () => {
      await close();
      await api.close();
    },
  };
}
