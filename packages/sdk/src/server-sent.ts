// Server-sent events, read from bytes as they come: https://html.spec.whatwg.org/multipage/server-sent-events.html
// The browser's EventSource cannot send a credential, and not every runtime has one.

export type Sent = {
  /** Where to go on from. It stands until another is sent. */
  readonly id: string | undefined;
  readonly event: string;
  /** Undefined: the block only said where to go on from, or when. */
  readonly data: string | undefined;
  readonly retryMs: number | undefined;
};

type Block = { id: string | undefined; event: string; data: string[]; retryMs: number | undefined };

const emptyAfter = (id: string | undefined): Block => ({ id, event: "", data: [], retryMs: undefined });

/** More than this in one line is nothing that the service would say. */
const longestLine = 1_000_000;

/** Each block as it is finished; a piece at a time, wherever it is cut. */
export function makeSentReader(): (text: string) => readonly Sent[] {
  let rest = "";
  let block = emptyAfter(undefined);
  let isFirst = true;
  return (text) => {
    rest += isFirst ? text.replace(/^\uFEFF/, "") : text;
    isFirst &&= text === "";
    const found: Sent[] = [];
    // A line may end in CR, and the LF that belongs to it may not have come yet.
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
    if (rest.length > longestLine) throw new Error("a line that does not end");
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
