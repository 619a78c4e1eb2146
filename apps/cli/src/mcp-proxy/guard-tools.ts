// Rewrites the server's list of tools for the agent: those that send take the user's request, those that may not be called are missing.
import { isObject, membersOf, type Message } from "./message.ts";
import { kindOf } from "./tool-rules.ts";
import type { ToolKind, Tools } from "./server-file.ts";

/** The argument that the proxy adds. The service records it as claimed by the agent. */
export const requestArgument = "userPrompt";

const instructions =
  "It is verified against the user's request first, and the owner may have to approve it, so this can take minutes. " +
  "If the result says that nothing was sent, tell the user the reason unchanged. Do not try variations.";

const requestSchema = {
  type: "string",
  minLength: 1,
  description:
    "The user's request, word for word, as the user typed it. Never reword it so that it fits the transaction.",
};

export type ToolList = {
  /** Returns what a tool may do, also before the server has listed it. */
  readonly kindOf: (name: string) => ToolKind;
  /** Returns the server's list as the agent may see it. */
  readonly guard: (tools: readonly unknown[]) => readonly Message[];
};

/** `onHidden` is called with the names of tools that are newly hidden. */
export function makeToolList(tools: Tools, onHidden: (names: readonly string[]) => void): ToolList {
  const kinds = new Map<string, ToolKind>();
  const guard: ToolList["guard"] = (listed) => {
    const hidden: string[] = [];
    const shown = listed.filter(isObject).flatMap((tool) => {
      const name = String(tool["name"]);
      const kind = ownsRequest(tool) ? "refused" : kindOf(name, tools, tool);
      if (kind === "refused" && kinds.get(name) !== kind) hidden.push(name);
      kinds.set(name, kind);
      if (kind === "refused") return [];
      return [kind === "sends" ? withRequest(withoutKeys(tool)) : withoutKeys(tool)];
    });
    if (hidden.length > 0) onHidden(hidden);
    return shown;
  };
  return { guard, kindOf: (name) => kinds.get(name) ?? kindOf(name, tools) };
}

const propertiesOf = (tool: Message): Message => membersOf(membersOf(tool["inputSchema"])["properties"]);

/** Its own argument of that name would get the request, and lose what it is for. */
const ownsRequest = (tool: Message): boolean => Object.hasOwn(propertiesOf(tool), requestArgument);

function withRequest(tool: Message): Message {
  const schema = membersOf(tool["inputSchema"]);
  const required = Array.isArray(schema["required"]) ? (schema["required"] as unknown[]) : [];
  return {
    ...tool,
    description: `${typeof tool["description"] === "string" ? `${tool["description"]} ` : ""}${instructions}`,
    inputSchema: {
      ...schema,
      properties: { ...propertiesOf(tool), [requestArgument]: requestSchema },
      required: [...required, requestArgument],
    },
    // A task would end the call before anything is sent.
    execution: { ...membersOf(tool["execution"]), taskSupport: "forbidden" },
  };
}

/** Some servers offer the key of their environment as a default, which every model would read. */
function withoutKeys(tool: Message): Message {
  const properties = Object.entries(propertiesOf(tool)).map(([name, property]) => {
    const { default: given, ...others } = membersOf(property);
    return [name, isKey(given) ? others : property] as const;
  });
  if (properties.length === 0) return tool;
  return {
    ...tool,
    inputSchema: { ...membersOf(tool["inputSchema"]), properties: Object.fromEntries(properties) },
  };
}

const isKey = (given: unknown): boolean => typeof given === "string" && /^(0x)?[0-9a-f]{64}$/i.test(given);
