import { loadConfig } from "@countersign/platform/config";
import { makeService } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase } from "@countersign/tools/testing";
import { makeApp, type App } from "./app.ts";
import { Config } from "./config.ts";

export type TestApi = {
  readonly app: App;
  readonly http: Awaited<ReturnType<typeof makeService>>;
  readonly close: () => Promise<void>;
};

/** The whole service on a database of its own, on no network: requests are injected. */
export async function aTestApi(environment: Readonly<Record<string, string>> = {}): Promise<TestApi> {
  const database = await makeTestDatabase();
  const config = loadConfig(Config, {
    DATABASE_URL: database.url,
    BASE_URL: "https://api.example",
    ...environment,
  });
  const app = makeApp(config, makeLog({ app: "api", level: "silent" }));
  const http = await makeService({ ...app.service, routes: app.routes });
  return {
    app,
    http,
    close: async () => {
      await http.close();
      await app.close();
      await database.drop();
    },
  };
}
