// Stands between two parts and hands everything on, until it is told to fail in one of the ways that networks and
// neighbours do.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { freePorts } from "../engines/ports.ts";

type Fault = {
  /** The connection is cut before anything was asked. */
  readonly isDown?: boolean;
  /** It was asked and did it, and the answer is lost. */
  readonly losesAnswers?: boolean;
  readonly delayMs?: number;
  /** Each is held for a time of its own, so that later ones overtake. */
  readonly shuffleMs?: number;
  /** Each is delivered so often; the last answer counts. */
  readonly copies?: number;
  /** One byte of a good answer is another. */
  readonly flipsByte?: boolean;
  /** Something else is asked than was asked for. */
  readonly rewrites?: (body: string) => Promise<string>;
  /** Answered by the proxy itself. */
  readonly answers?: { readonly status: number; readonly body: string };
  /** Which requests it happens to. All, unless this is given. */
  readonly when?: (request: { readonly method: string; readonly path: string }) => boolean;
};

export type FaultyProxy = {
  readonly url: string;
  /** From now on; without a fault everything is handed on. Forgets how often it has failed. */
  readonly fail: (fault?: Fault) => void;
  /** How often the fault has met a request. */
  readonly failures: () => number;
  readonly close: () => void;
};

type Asked = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};
type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** Of the connection, not of the message. An encoding is undone on the way. */
const ofTheHop = [
  ...["host", "connection", "content-length", "transfer-encoding", "keep-alive", "expect"],
  "content-encoding",
];

async function read(request: IncomingMessage): Promise<Asked> {
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined || ofTheHop.includes(name) ? [] : [[name, String(value)]],
  );
  return {
    method: request.method ?? "GET",
    path: request.url ?? "/",
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: Buffer.concat(await request.toArray()),
  };
}

async function handOn(target: string, { method, path, headers, body }: Asked): Promise<Answer> {
  const answer = await fetch(`${target}${path}`, {
    method,
    headers,
    redirect: "manual",
    ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
  });
  return {
    status: answer.status,
    headers: Object.fromEntries([...answer.headers].filter(([name]) => !ofTheHop.includes(name))),
    body: Buffer.from(await answer.arrayBuffer()),
  };
}

const rewrite = async ({ body }: Asked, by: NonNullable<Fault["rewrites"]>): Promise<Buffer> =>
  Buffer.from(await by(body.toString()));

async function handOnBadly(target: string, given: Asked, fault: Fault): Promise<Answer | undefined> {
  if (fault.isDown === true) return undefined;
  if (fault.answers !== undefined)
    return {
      ...fault.answers,
      headers: { "content-type": "application/json" },
      body: Buffer.from(fault.answers.body),
    };
  await sleep((fault.delayMs ?? 0) + Math.random() * (fault.shuffleMs ?? 0));
  const asked =
    fault.rewrites === undefined ? given : { ...given, body: await rewrite(given, fault.rewrites) };
  for (let copy = 1; copy < (fault.copies ?? 1); copy++) await handOn(target, asked);
  const answer = await handOn(target, asked);
  if (fault.losesAnswers === true) return undefined;
  const [first = 0] = answer.body;
  if (fault.flipsByte === true && answer.status === 200) answer.body[0] = first ^ 1;
  return answer;
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  let fault: Fault | undefined;
  let failures = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = await read(request);
    const met = fault !== undefined && (fault.when?.(asked) ?? true) ? fault : undefined;
    if (met !== undefined) failures++;
    const answer = await (met === undefined ? handOn(target, asked) : handOnBadly(target, asked, met));
    if (answer === undefined) request.socket.destroy();
    else response.writeHead(answer.status, answer.headers).end(answer.body);
  };
  const server = createServer((request, response) => {
    // The upstream or the client is gone: both look like a closed connection.
    serve(request, response).catch(() => request.socket.destroy());
  });
  const [port = 0] = await freePorts(1);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${port}`,
    fail: (given) => {
      [fault, failures] = [given, 0];
    },
    failures: () => failures,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
