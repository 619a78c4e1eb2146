// The stdio transport of MCP: one JSON message on each line.
import type { Readable } from "node:stream";
import { messagesIn, type Message } from "./message.ts";

/** Calls back for each message until the stream ends. Lines that are not JSON are reported and dropped. */
export async function readMessages(
  stream: Readable,
  onMessage: (message: Message) => void,
  onNoise: (line: string) => void,
): Promise<void> {
  let rest = "";
  stream.setEncoding("utf8");
  for await (const chunk of stream) {
    const lines = `${rest}${String(chunk)}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter((one) => one.trim() !== "")) readLine(line, onMessage, onNoise);
  }
}

function readLine(
  line: string,
  onMessage: (message: Message) => void,
  onNoise: (line: string) => void,
): void {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    onNoise(line);
    return;
  }
  for (const message of messagesIn(value)) onMessage(message);
}
