import { randomBytes } from "node:crypto";
import { loadConfig } from "@countersign/platform/config";
import { makeService } from "@countersign/platform/http";
import { makeLog, type Log } from "@countersign/platform/log";
import { makeTestDatabase } from "@countersign/tools/testing";
import { makeApp, type App } from "./app.ts";
import { Config } from "./config.ts";

export type TestApi = {
  readonly app: App;
  readonly databaseUrl: string;
  readonly http: Awaited<ReturnType<typeof makeService>>;
  readonly close: () => Promise<void>;
};

/** The whole service on a database of its own, on no network: requests are injected. */
export async function aTestApi(
  environment: Readonly<Record<string, string>> = {},
  log: Log = makeLog({ app: "api", level: "silent" }),
): Promise<TestApi> {
  const database = await makeTestDatabase();
  const config = loadConfig(Config, {
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString("base64"),
    BASE_URL: "https://api.example",
    // No node of the chain that tests name: a wallet is what its signature says.
    RPC_URLS: "1=http://127.0.0.1:9",
    ...environment,
  });
  const app = makeApp(config, log);
  const http = await makeService({ ...app.service, routes: app.routes });
  return {
    app,
    databaseUrl: database.url,
    http,
    close: async () => {
      await http.close();
      await app.close();
      await database.drop();
    },
  };
}

let lastAddress = 0;

/** Sends as many requests as an address may within a minute, from one of its own, and returns what the next one is told. */
export async function exceedLimit(
  { http }: TestApi,
  request: { readonly method: "GET" | "POST" | "PUT" | "DELETE"; readonly url: string },
  most = 300,
): Promise<number> {
  const remoteAddress = `10.1.0.${++lastAddress}`;
  for (let count = 0; count < most; count++) await http.inject({ ...request, remoteAddress });
  return (await http.inject({ ...request, remoteAddress })).statusCode;
}
