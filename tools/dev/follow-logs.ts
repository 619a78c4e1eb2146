import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";

const everyMs = 200;
const chunkBytes = 64 * 1024;

/** Shows what is added to the log files of a folder, each line under the name of its part. Returns how to end it. */
export function followLogs(folder: string, write: (text: string) => unknown): () => void {
  const files = new Map<string, { offset: number; rest: string }>();
  const look = (): void => {
    for (const file of listLogs(folder)) {
      const state = files.get(file) ?? { offset: 0, rest: "" };
      files.set(file, state);
      const added = readFrom(join(folder, file), state.offset);
      state.offset += added.byteLength;
      const lines = (state.rest + added.toString("utf8")).split("\n");
      state.rest = lines.pop() ?? "";
      const name = file.replace(/\.log$/, "").padEnd(15);
      for (const line of lines) write(`${name} │ ${line}\n`);
    }
  };
  const timer = setInterval(look, everyMs);
  return () => {
    clearInterval(timer);
    look();
  };
}

function listLogs(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((file) => file.endsWith(".log"));
  } catch {
    // Not made yet.
    return [];
  }
}

function readFrom(file: string, offset: number): Buffer {
  const handle = openSync(file, "r");
  try {
    const buffer = Buffer.alloc(chunkBytes);
    return buffer.subarray(0, readSync(handle, buffer, 0, chunkBytes, offset));
  } finally {
    closeSync(handle);
  }
}
