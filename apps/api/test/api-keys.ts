import { systemClock } from "@countersign/platform/clock";
import { makeLog, type Log } from "@countersign/platform/log";
import { makeApiKeys } from "../src/composition/identity.ts";
import { connectDatabase } from "../src/platform/db/connect.ts";
import { loadKeks, makeSecretStore, type SecretStore } from "../src/platform/secrets/index.ts";
import { aTestApi, type TestApi } from "./test-api.ts";
import type { KeyRequest } from "../src/api-keys/issue-key.ts";

export type TestApiWithKeys = TestApi & {
  /** Issues a key of any kind, as the operator would. A test sets only what it is about. */
  readonly issueKey: (
    request: Pick<KeyRequest, "type"> & Partial<KeyRequest>,
  ) => Promise<{ readonly id: string; readonly secret: string }>;
  /** The secret of a new server key. */
  readonly issueServerKey: (type: "admin" | "orion") => Promise<string>;
  /** The service's own secrets. */
  readonly secrets: SecretStore;
};

/** The whole service, together with what only the operator can do: server keys are never issued over HTTP. */
export async function aTestApiWithKeys(
  environment: Readonly<Record<string, string>> = {},
  log?: Log,
): Promise<TestApiWithKeys> {
  const api = await aTestApi(environment, log);
  const { config } = api;
  const silent = makeLog({ app: "admin", level: "silent" });
  const { db, close } = connectDatabase({ url: api.databaseUrl, poolSize: 1, log: silent });
  const secrets = makeSecretStore({ db, keks: () => loadKeks(config, silent) });
  const { issueKey: issue } = makeApiKeys({ config, db, secrets, clock: systemClock, log: log ?? silent });

  const issueKey: TestApiWithKeys["issueKey"] = async (request) => {
    const label = request.type === "orion" ? "orion" : "user";
    const { apiKey, secret } = await issue({
      account: null,
      label,
      name: "a",
      expiresAt: null,
      ...request,
    });
    return { id: apiKey.id, secret };
  };
  return {
    ...api,
    issueKey,
    issueServerKey: async (type) => (await issueKey({ type })).secret,
    secrets,
    close: async () => {
      await close();
      await api.close();
    },
  };
}
