// A test double of a wallet provider: it has the same API, requires credentials and signatures, sends accepted transactions,
// and can be told to fail in the ways that real ones do.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Hex } from "viem";
import { isAppKnown, type Asked } from "./authorize.ts";
import { makeChain, makeNoChain } from "./chain.ts";
import { makeProvider, type Answer, type Doing, type Provider, type Transaction } from "./provider.ts";

export const behaviours = [
  "good",
  /** Sends, and never answers. */
  "timeout-after-accept",
  /** Sends, and hangs up. */
  "drop-after-accept",
  /** Sends, and says 500. */
  "error-after-accept",
  /** Sends, says 500, and for a few questions does not know of it. */
  "lost",
  "other-amount-sent",
  /** Takes it, and in the end does not send it. */
  "fails",
  "refuses",
  /** Hangs up on everybody. */
  "down",
  /** Refuses, and repeats the credentials it was sent. */
  "leaks",
  "redirects",
  /** Larger than any request should be. */
  "endless",
] as const;
type Behaviour = (typeof behaviours)[number];

export type WalletProviderStandIn = {
  /** The value of WALLET_PROVIDER_URL. */
  readonly url: string;
  /** Everything that it took, oldest first, also what it did not send. */
  readonly accepted: () => readonly Readonly<Transaction>[];
  /** `times`: how often, when it is lost, it is not found. */
  readonly behave: (how: Behaviour, times?: number) => void;
  readonly makeWallet: (
    ownerQuorumId: string,
  ) => Promise<{ readonly walletId: string; readonly address: Hex }>;
  /** From now on it says this of what was sent under that reference. */
  readonly say: (referenceId: string, status: string) => void;
  readonly close: () => Promise<void>;
};

type Options = {
  readonly appId: string;
  readonly appSecret: string;
  readonly port?: number;
  /** Of an anvil: then wallets have money there, and what is accepted is sent. */
  readonly rpcUrl?: string;
};

/** The active fault. */
type Mood = { how: Behaviour; timesLost: number };

type Remembered = { readonly request: string; readonly answer: Answer };

/** Answered before anything was looked at; undefined if it is looked at. */
function misbehaveAtOnce({ how }: Mood, asked: Asked, response: ServerResponse): true | undefined {
  if (how === "down") response.destroy();
  else if (how === "leaks") reply(response, 400, { error: asked.headers, body: asked.body });
  else if (how === "redirects") response.writeHead(307, { location: asked.url }).end();
  else if (how === "endless") reply(response, 200, { id: "x".repeat(1_000_000) });
  else return undefined;
  return true;
}

const doingOf = (how: Behaviour): Doing => {
  if (how === "fails") return "fail";
  return how === "other-amount-sent" ? "send another amount" : "send";
};

/** The answer to what was accepted, if it is given. */
function answerAfter({ how }: Mood, answer: Answer, response: ServerResponse): void {
  if (answer.status === 200 && how === "timeout-after-accept") return;
  if (answer.status === 200 && how === "drop-after-accept") response.destroy();
  else if (answer.status === 200 && (how === "error-after-accept" || how === "lost"))
    reply(response, 500, { error: "sorry" });
  else reply(response, answer.status, answer.body);
}

const rpcPath = /^\/v1\/wallets\/([^/]+)\/rpc$/;

type Decide = (given: {
  readonly provider: Provider;
  readonly mood: Mood;
  readonly asked: Asked;
  /** The object that the path names. */
  readonly id: string;
}) => Answer | Promise<Answer>;

const againstPolicy: Answer = { status: 400, body: { error: "against our policy" } };

const resources: readonly (readonly [method: RegExp, path: RegExp, decide: Decide])[] = [
  [
    /^POST$/,
    rpcPath,
    ({ provider, mood, asked, id }) =>
      mood.how === "refuses" ? againstPolicy : provider.send(id, asked, doingOf(mood.how)),
  ],
  [
    /^POST$/,
    /^\/v1\/key_quorums$/,
    ({ provider, mood, asked }) => (mood.how === "refuses" ? againstPolicy : provider.createQuorum(asked)),
  ],
  [
    /^(GET|PATCH|DELETE)$/,
    /^\/v1\/key_quorums\/([^/]+)$/,
    ({ provider, asked, id }) => provider.doQuorum(id, asked),
  ],
  [/^GET$/, /^\/v1\/wallets\/([^/]+)$/, ({ provider, id }) => provider.readWallet(id)],
  [
    /^GET$/,
    /^\/v1\/transactions$/,
    ({ provider, mood, asked }) =>
      mood.timesLost-- > 0
        ? { status: 200, body: { transactions: [] } }
        : provider.find(new URL(asked.url).searchParams.get("reference_id")),
  ],
];

async function decide(provider: Provider, mood: Mood, asked: Asked): Promise<Answer> {
  const { pathname } = new URL(asked.url);
  for (const [method, path, decideOn] of resources) {
    const match = method.test(asked.method) ? path.exec(pathname) : null;
    if (match !== null) return decideOn({ provider, mood, asked, id: match[1] ?? "" });
  }
  return { status: 404, body: { error: "no such resource" } };
}

/** For tests; without credentials, on this machine. */
async function control(standIn: WalletProviderStandIn, path: string, body: Asked["body"]): Promise<Answer> {
  if (path === "/stand-in/wallets")
    return { status: 200, body: await standIn.makeWallet(String(body["ownerQuorumId"])) };
  if (path === "/stand-in/transactions")
    return {
      status: 200,
      body: standIn.accepted().map((one) => ({ ...one, value: `0x${one.value.toString(16)}` })),
    };
  const how = behaviours.find((name) => name === body["how"]);
  if (path !== "/stand-in/behave" || how === undefined) return { status: 404, body: { error: behaviours } };
  standIn.behave(how, typeof body["times"] === "number" ? body["times"] : undefined);
  return { status: 200, body: { how } };
}

type Parts = {
  readonly options: Options;
  readonly provider: Provider;
  readonly mood: Mood;
  readonly standIn: WalletProviderStandIn;
};

function makeServe({ options, provider, mood, standIn }: Parts) {
  const remembered = new Map<string, Remembered>();
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = await readRequest(request, standIn.url);
    const { pathname } = new URL(asked.url);
    if (pathname.startsWith("/stand-in/")) {
      const { status, body } = await control(standIn, pathname, asked.body);
      reply(response, status, body);
      return;
    }
    if (misbehaveAtOnce(mood, asked, response)) return;
    if (!isAppKnown(asked, options.appId, options.appSecret)) {
      reply(response, 401, { error: "wrong credentials" });
      return;
    }
    const key = asked.headers["privy-idempotency-key"];
    const before = key === undefined ? undefined : remembered.get(key);
    const text = JSON.stringify([asked.method, asked.url, asked.body]);
    if (before !== undefined) {
      const isSame = before.request === text;
      const { status, body } = isSame ? before.answer : { status: 409, body: { error: "another request" } };
      reply(response, status, body);
      return;
    }
    const answer = await decide(provider, mood, asked);
    // A rejection is not cached.
    if (key !== undefined && answer.status === 200) remembered.set(key, { request: text, answer });
    if (rpcPath.test(pathname)) answerAfter(mood, answer, response);
    else reply(response, answer.status, answer.body);
  };
}

export async function startWalletProviderStandIn(options: Options): Promise<WalletProviderStandIn> {
  const provider = makeProvider(options.rpcUrl === undefined ? makeNoChain() : makeChain(options.rpcUrl));
  const mood: Mood = { how: "good", timesLost: 0 };
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const standIn: WalletProviderStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accepted: () => provider.transactions,
    behave: (how, times = 2) => {
      mood.how = how;
      mood.timesLost = how === "lost" ? times : 0;
    },
    makeWallet: async (ownerQuorumId) => {
      const { id, account } = await provider.makeWallet(ownerQuorumId);
      return { walletId: id, address: account.address };
    },
    say: (referenceId, status) => {
      for (const one of provider.transactions) if (one.referenceId === referenceId) one.status = status;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
  const serve = makeServe({ options, provider, mood, standIn });
  server.on("request", (request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  return standIn;
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

async function readRequest(request: IncomingMessage, origin: string): Promise<Asked> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString("utf8");
  return {
    method: request.method ?? "",
    url: `${origin}${request.url ?? ""}`,
    headers: request.headers as Record<string, string>,
    body: text === "" ? {} : (JSON.parse(text) as Asked["body"]),
  };
}
