// Decides what a tool may do. The lists only decide what is asked of an agent and what is hidden: whatever a tool is called, a
// transaction passes the guarded RPC only within a call that carries the user's request.
import { membersOf, type Message } from "./message.ts";
import type { ToolKind, Tools } from "./server-file.ts";

/** First words of the names of tools that only look at something. */
const readVerbs: ReadonlySet<string> = new Set([
  ...["calculate", "check", "count", "decode", "describe", "encode", "estimate", "fetch", "find", "get"],
  ...[
    "is",
    "list",
    "lookup",
    "query",
    "read",
    "resolve",
    "search",
    "show",
    "simulate",
    "validate",
    "verify",
    "view",
  ],
]);

/** Words in the names of tools that could use a key or reveal it. */
const keyWords =
  /^(approve|authorize|bridge|broadcast|burn|buy|claim|delegate|deploy|deposit|execute|export|import|key|keys|mint|mnemonic|pay|permit|private|secret|seed|sell|send|sign|signature|signed|stake|submit|swap|transfer|withdraw|write)$/;

/** Returns what a tool may do. `tool` is its entry in the server's list, if that is known. */
export function kindOf(name: string, tools: Tools, tool: Message = {}): ToolKind {
  const listed = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (listed !== undefined) return listed;
  const words = wordsOf(name);
  if (words.some((word) => keyWords.test(word))) return "refused";
  const isDeclared = membersOf(tool["annotations"])["readOnlyHint"] === true;
  return isDeclared || readVerbs.has(words[0] ?? "") ? "passes" : "refused";
}

/** `getBalance`, `get_balance` and `get-balance` are the same two words. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
