// A streaming parser for server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html
// The browser's EventSource cannot send a credential, and not every runtime has it.

export type Sent = {
  /** The last event id. It applies until another one is sent. */
  readonly id: string | undefined;
  readonly event: string;
  /** Undefined if the block contains only an id or a retry time. */
  readonly data: string | undefined;
  readonly retryMs: number | undefined;
};

type Block = { id: string | undefined; event: string; data: string[]; retryMs: number | undefined };

const emptyAfter = (id: string | undefined): Block => ({ id, event: "", data: [], retryMs: undefined });

/** The service never sends longer lines. In characters. */
const longestLine = 1_000_000;

/** Makes a parser that takes chunks, split anywhere, and returns the completed blocks. */
export function makeSentReader(): (text: string) => readonly Sent[] {
  let rest = "";
  let block = emptyAfter(undefined);
  let isFirst = true;
  return (text) => {
    rest += isFirst ? text.replace(/^\uFEFF/, "") : text;
    isFirst &&= text === "";
    const found: Sent[] = [];
    // A line may end in CR, and its LF may be in the next chunk.
    for (let end; (end = /\r\n|\n|\r(?!$)/.exec(rest)) !== null;) {
      const line = rest.slice(0, end.index);
      rest = rest.slice(end.index + end[0].length);
      if (line !== "") {
        note(block, line);
        continue;
      }
      const { id, event, data, retryMs } = block;
      found.push({
        id,
        event: event || "message",
        data: data.length === 0 ? undefined : data.join("\n"),
        retryMs,
      });
      block = emptyAfter(id);
    }
    if (rest.length > longestLine) throw new Error("line too long");
    return found;
  };
}

function note(block: Block, line: string): void {
  const [, field = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
  if (field === "data") block.data.push(value);
  if (field === "event") block.event = value;
  if (field === "id" && !value.includes("\0")) block.id = value;
  if (field === "retry" && /^\d+$/.test(value)) block.retryMs = Number(value);
}
