import { generateKeyPair, randomBytes } from "node:crypto";
import { Agent, request, type IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { loadConfig } from "@countersign/platform/config";
import { makeService, type ServiceOptions } from "@countersign/platform/http";
import { makeLog, type Log } from "@countersign/platform/log";
import { freePorts, makeTestDatabase } from "@countersign/tools/testing";
import { makeApp, type App, type Replaced } from "../src/composition/app.ts";
import { Config } from "../src/config.ts";

export type TestApi = {
  readonly app: App;
  readonly config: Config;
  /** With the owner of the tables, for tests that set something up. The service itself runs with its own role. */
  readonly databaseUrl: string;
  /** Where it listens. */
  readonly origin: string;
  readonly http: TestHttp;
  /** Starts the same service with a standard limit of `strictLimit` requests per minute. */
  readonly startStrict: () => Promise<TestHttp>;
  readonly close: () => Promise<void>;
};

type TestHttp = { readonly send: (request: TestRequest | string) => Promise<TestAnswer> };

type TestRequest = {
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a text unchanged. */
  readonly payload?: object | string;
  /** The address it appears to come from. */
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

/** One request over a real connection, sent unchanged, without additions. */
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
          // It would never end. Its beginning is the answer.
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

/** Half the default size, which takes a tenth of the time. */
const makeCustodyKey = () => promisify(generateKeyPair)("rsa", { modulusLength: 2048 });

/** The whole service on its own database and port. */
export async function aTestApi(
  environment: Readonly<Record<string, string>> = {},
  log: Log = makeLog({ app: "api", level: "silent" }),
  replaced: Replaced = { makeCustodyKey },
): Promise<TestApi> {
  const database = await makeTestDatabase();
  const config = loadConfig(Config, {
    DATABASE_URL: database.serviceUrl,
    SECRETS_KEY: randomBytes(32).toString("base64"),
    BASE_URL: "https://api.example",
    // No node for the chain that tests use, so that only plain wallets work.
    RPC_URLS: "1=http://127.0.0.1:9",
    // No custodian unless a test sets one.
    CUSTODIAN_URL: "http://127.0.0.1:9",
    // No validator either.
    VALIDATOR_URL: "http://127.0.0.1:9",
    // So that a test can choose its address.
    TRUSTED_PROXIES: "127.0.0.1",
    ...environment,
  });
  const app = makeApp(config, log, replaced);
  const services: { readonly close: () => Promise<unknown> }[] = [];
  const listen = async (options: Partial<ServiceOptions> = {}): Promise<string> => {
    const service = await makeService({ ...app.service, routes: app.routes, ...options });
    services.push(service);
    const [port = 0] = await freePorts(1);
    return service.listen({ host: "127.0.0.1", port });
  };
  let strictOrigin: Promise<string> | undefined;
  const origin = await listen();
  return {
    app,
    config,
    databaseUrl: database.url,
    origin,
    http: { send: (given) => send(origin, given) },
    startStrict: async () => {
      strictOrigin ??= listen({ requestsPerMinutePerIp: strictLimit });
      const at = await strictOrigin;
      return { send: (given) => send(at, given) };
    },
    close: async () => {
      await Promise.all(services.map((service) => service.close()));
      await app.close();
      await database.drop();
    },
  };
}

let lastAddress = 0;

/** The standard limit of the service that `startStrict` starts, so that a test can exceed it with a few requests. */
const strictLimit = 3;

/**
 * Sends as many requests as one address may send within a minute, then one more, and returns the status of that one.
 * Without `most` the endpoint must have the standard limit, and the requests go to a service where it is small.
 * Throws if a request within the limit was already answered with 429.
 */
export async function exceedLimit(
  api: TestApi,
  request: { readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"; readonly url: string },
  most?: number,
): Promise<number> {
  const http = most === undefined ? await api.startStrict() : api.http;
  const limit = most ?? strictLimit;
  const remoteAddress = `10.1.0.${++lastAddress}`;
  for (let count = 1; count <= limit; count++) {
    const { statusCode } = await http.send({ ...request, remoteAddress });
    if (statusCode === 429) throw new Error(`request ${count} of ${limit} was answered with 429`);
  }
  return (await http.send({ ...request, remoteAddress })).statusCode;
}
