// MCP messages, as far as the proxy reads them. Everything else in them passes through unread.
export type Message = Readonly<Record<string, unknown>>;

export type Id = string | number;

export const isObject = (value: unknown): value is Message =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const idOf = ({ id }: Message): Id | undefined =>
  typeof id === "string" || typeof id === "number" ? id : undefined;

/** Returns the members of an object, or none if it is something else. */
export const membersOf = (value: unknown): Message => (isObject(value) ? value : {});

/** The result of a tool that did not do what it was called for. */
export const failure = (id: Id, text: string): Message => ({
  ...{ jsonrpc: "2.0", id },
  result: { content: [{ type: "text", text }], isError: true },
});

/** Revisions before 2025-06-18 allow several messages in one. Returns them one by one. */
export const messagesIn = (value: unknown): readonly Message[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isObject);
