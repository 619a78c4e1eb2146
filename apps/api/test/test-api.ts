import { randomBytes } from "node:crypto";
import { Agent, request, type IncomingHttpHeaders } from "node:http";
import { loadConfig } from "@countersign/platform/config";
import { makeService } from "@countersign/platform/http";
import { makeLog, type Log } from "@countersign/platform/log";
import { freePorts, makeTestDatabase } from "@countersign/tools/testing";
import { makeApp, type App } from "../src/composition/app.ts";
import { Config } from "../src/config.ts";

export type TestApi = {
  readonly app: App;
  readonly config: Config;
  /** As the owner of the tables, for tests that set something up. The service itself runs with its own role. */
  readonly databaseUrl: string;
  /** Where it listens. */
  readonly origin: string;
  readonly http: { readonly send: (request: TestRequest | string) => Promise<TestAnswer> };
  readonly close: () => Promise<void>;
};

type TestRequest = {
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a text as it is. */
  readonly payload?: object | string;
  /** The address it seems to come from. */
  readonly remoteAddress?: string;
};

type TestAnswer = {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // The caller knows what it asked for; this is its word for it, not a check.
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as the injected answers of the framework have it
  readonly json: <T = unknown>() => T;
};

/** One request over a real connection, sent as it is: nothing is added that a test did not ask for. */
export function send(origin: string, given: TestRequest | string): Promise<TestAnswer> {
  const {
    method = "GET",
    url,
    headers = {},
    payload,
    remoteAddress,
  } = typeof given === "string" ? { url: given } : given;
  const body = payload === undefined || typeof payload === "string" ? payload : JSON.stringify(payload);
  const json = typeof payload === "object" ? { "content-type": "application/json" } : {};
  const from = remoteAddress === undefined ? {} : { "x-forwarded-for": remoteAddress };
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const sent = request(
      `${origin}${url}`,
      { method, agent, headers: { ...json, ...from, ...length, ...headers } },
      (answer) => {
        let text = "";
        const finish = (): void => {
          resolve({
            statusCode: answer.statusCode ?? 0,
            headers: answer.headers,
            body: text,
            json: () => JSON.parse(text) as never,
          });
        };
        const isStream = answer.headers["content-type"] === "text/event-stream";
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
          if (!isStream) return;
          // It would go on for ever; its beginning is the answer.
          finish();
          answer.destroy();
        });
        answer.on("end", finish);
      },
    );
    sent.once("error", reject);
    sent.end(body);
  });
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** The whole service on a database of its own, listening on a port of its own. */
export async function aTestApi(
  environment: Readonly<Record<string, string>> = {},
  log: Log = makeLog({ app: "api", level: "silent" }),
): Promise<TestApi> {
  const database = await makeTestDatabase();
  const config = loadConfig(Config, {
    DATABASE_URL: database.serviceUrl,
    SECRETS_KEY: randomBytes(32).toString("base64"),
    BASE_URL: "https://api.example",
    // No node of the chain that tests name: a wallet is what its signature says.
    RPC_URLS: "1=http://127.0.0.1:9",
    // No custodian but one that a test names.
    CUSTODIAN_URL: "http://127.0.0.1:9",
    // No validator either.
    VALIDATOR_URL: "http://127.0.0.1:9",
    // So that a test can come from the address it likes.
    TRUSTED_PROXIES: "127.0.0.1",
    ...environment,
  });
  const app = makeApp(config, log);
  const service = await makeService({ ...app.service, routes: app.routes });
  const [port = 0] = await freePorts(1);
  const origin = await service.listen({ host: "127.0.0.1", port });
  return {
    app,
    config,
    databaseUrl: database.url,
    origin,
    http: { send: (given) => send(origin, given) },
    close: async () => {
      await service.close();
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
  for (let count = 0; count < most; count++) await http.send({ ...request, remoteAddress });
  return (await http.send({ ...request, remoteAddress })).statusCode;
}
