// The proxy's routing: the list of tools is guarded, calls of tools that send take turns, and all other messages pass unchanged.
import { makeToolList } from "./guard-tools.ts";
import { failure, idOf, membersOf, type Id, type Message } from "./message.ts";
import { readRequest } from "./read-request.ts";
import type { Tools } from "./server-file.ts";
import { takeTurns, type Turns, type TurnOptions, type Wires } from "./take-turns.ts";

export type Proxy = Pick<Turns, "request" | "end"> & {
  readonly fromHost: (message: Message) => void;
  readonly fromServer: (message: Message) => void;
};

const hiddenText = (names: readonly string[]): string =>
  `Countersign: hidden, because no list says that they only read: ${names.join(", ")}. To allow them, list them as passes or sends in a file for --server.`;

const refusedText = (name: string): string =>
  `Nothing was done. ${name} is not allowed: the proxy cannot verify what it signs or sends. Tell the user.`;

export function guardMessages(tools: Tools, options: TurnOptions, wires: Wires): Proxy {
  const { toHost, toServer, notice } = wires;
  const list = makeToolList(tools, (names) => {
    notice(hiddenText(names));
  });
  const turns = takeTurns(options, wires);
  const lists = new Set<Id>();

  const callTool = (message: Message): void => {
    const id = idOf(message);
    // A call without an id gets no answer, so that nothing could be reported.
    if (id === undefined) return;
    if (turns.isInProgress(id)) {
      toHost(failure(id, "Nothing was done. A call with this id is in progress."));
      return;
    }
    const { name } = membersOf(message["params"]);
    const kind = typeof name === "string" ? list.kindOf(name) : "refused";
    const found = kind === "sends" ? readRequest(message) : undefined;
    if (kind === "refused") toHost(failure(id, refusedText(String(name))));
    else if (found === undefined) toServer(message);
    else if ("problem" in found) toHost(failure(id, found.problem));
    else turns.start(id, found.message, found.words);
  };

  const fromHost: Proxy["fromHost"] = (message) => {
    const { method } = message;
    if (method === "tools/call") {
      callTool(message);
      return;
    }
    const id = idOf(message);
    if (method === "tools/list" && id !== undefined) lists.add(id);
    if (method === "notifications/cancelled") turns.cancel(membersOf(message["params"])["requestId"] as Id);
    toServer(message);
  };

  const fromServer: Proxy["fromServer"] = (message) => {
    // A message with a method is a request of the server, whose ids are its own.
    const id = "method" in message ? undefined : idOf(message);
    if (id !== undefined && turns.answer(id, message)) return;
    toHost(id !== undefined && lists.delete(id) ? guardList(message, list.guard) : message);
  };
  return { fromHost, fromServer, request: turns.request, end: turns.end };
}

function guardList(message: Message, guard: (tools: readonly unknown[]) => readonly Message[]): Message {
  const result = membersOf(message["result"]);
  const { tools } = result;
  return Array.isArray(tools) ? { ...message, result: { ...result, tools: guard(tools) } } : message;
}
