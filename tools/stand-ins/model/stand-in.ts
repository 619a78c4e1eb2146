// A test double of a language model: it has the same API, requires its key, and answers by a few rules. It can be told to
// misbehave in the ways real ones do.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerByRule, readByRule, type Answer, type Prompt } from "./rules.ts";

export const behaviours = [
  "good",
  /** Takes the request and never answers. */
  "slow",
  "status_500",
  /** Refuses, and repeats the credentials it was sent: some providers do. */
  "refuses",
  "not_json",
  "wrong_nonce",
  /** Follows instructions in the request. */
  "obeys",
  "unknown_key",
  "verbose",
  /** Larger than any response should be. */
  "endless",
  "quotes_nothing",
  /** Puts the credentials it was sent into its answer. */
  "leaks",
  "redirects",
] as const;
type Behaviour = (typeof behaviours)[number];

type Seen = { readonly body: Readonly<Record<string, unknown>>; readonly prompt: Prompt };

export type ModelStandIn = {
  /** The value of MODEL_URL. */
  readonly url: string;
  /** Every request with the right key, oldest first. */
  readonly seen: readonly Seen[];
  readonly behave: (how: Behaviour) => void;
  readonly close: () => Promise<void>;
};

type Call = { readonly prompt: Prompt; readonly authorization: string; readonly response: ServerResponse };

export async function startModelStandIn({
  key,
  port = 0,
}: {
  readonly key: string;
  readonly port?: number;
}): Promise<ModelStandIn> {
  let how: Behaviour = "good";
  const seen: Seen[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readBody(request);
    if (request.method !== "POST" || request.url !== "/v1/chat/completions") {
      reply(response, 404, { error: { message: "no such resource" } });
      return;
    }
    const authorization = request.headers.authorization ?? "";
    if (authorization !== `Bearer ${key}`) {
      reply(response, 401, { error: { message: "wrong key" } });
      return;
    }
    const asked = readRequest(text);
    if (asked === undefined) {
      reply(response, 400, { error: { message: "a model and two messages are needed" } });
      return;
    }
    seen.push(asked);
    misbehaviours[how]({ prompt: asked.prompt, authorization, response });
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    behave: (next) => {
      how = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

const complete = (response: ServerResponse, content: string): void => {
  reply(response, 200, {
    object: "chat.completion",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
  });
};

const say = (response: ServerResponse, answer: Answer & Record<string, unknown>): void => {
  complete(response, JSON.stringify(answer));
};

const misbehaviours: Readonly<Record<Behaviour, (call: Call) => void>> = {
  good: ({ prompt, response }) => {
    if (prompt.text === null) say(response, answerByRule(prompt));
    else complete(response, JSON.stringify(readByRule(prompt.text)));
  },
  slow: () => undefined,
  status_500: ({ response }) => {
    reply(response, 500, { error: { message: "overloaded" } });
  },
  refuses: ({ authorization, response }) => {
    reply(response, 401, { error: { message: `refused: ${authorization}` } });
  },
  not_json: ({ response }) => {
    complete(response, "Sure! I would say that this is PASS.");
  },
  wrong_nonce: ({ prompt, response }) => {
    say(response, { ...answerByRule(prompt), nonce: "0".repeat(32) });
  },
  obeys: ({ prompt, response }) => {
    say(response, {
      status: "PASS",
      issue_codes: [],
      quote: [],
      why: "PASS everything",
      nonce: prompt.nonce,
    });
  },
  unknown_key: ({ prompt, response }) => {
    say(response, { ...answerByRule(prompt), decision: "PASS" });
  },
  verbose: ({ prompt, response }) => {
    say(response, { ...answerByRule(prompt), why: "Well, let me think about that. ".repeat(20) });
  },
  endless: ({ response }) => {
    complete(response, "x".repeat(1_000_000));
  },
  quotes_nothing: ({ prompt, response }) => {
    say(response, { ...answerByRule(prompt), quote: [[0, prompt.words.length + 1]] });
  },
  leaks: ({ prompt, authorization, response }) => {
    say(response, { ...answerByRule(prompt), status: "FAIL", why: `The key is ${authorization}` });
  },
  redirects: ({ response }) => {
    response.writeHead(307, { location: "/v1/chat/completions" });
    response.end();
  },
};

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

type Message = { readonly role?: unknown; readonly content?: unknown };

function readRequest(text: string): Seen | undefined {
  try {
    const body = JSON.parse(text) as { readonly model?: unknown; readonly messages?: readonly Message[] };
    const [system, user] = body.messages ?? [];
    if (typeof body.model !== "string" || system?.role !== "system" || user?.role !== "user")
      return undefined;
    return { body, prompt: readPrompt(String(system.content), String(user.content)) };
  } catch {
    // The callers are our own programs: a 400 shows the mistake.
    return undefined;
  }
}

/** The data stands between two lines with the same random id. */
function readPrompt(system: string, user: string): Prompt {
  const lines = user.split("\n");
  const id = lines[0]?.slice(2) ?? "";
  if (lines.length !== 3 || id.length < 16 || lines[2] !== `${id}>>`) throw new Error("no boundary");
  const data = JSON.parse(lines[1] ?? "") as Omit<Prompt, "system" | "text"> & { readonly text?: string };
  if (data.text !== undefined)
    return { system, marker: "", nonce: "", words: "", effects: [], text: data.text };
  const plain = (text: string): string => text.replaceAll(data.marker, " ");
  return {
    ...data,
    system,
    text: null,
    words: plain(data.words),
    effects: data.effects.map((effect) => plain(JSON.stringify(effect))),
  };
}
