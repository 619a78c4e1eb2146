// A model server that answers with recorded readings, so that a measurement needs no model and always gets the same answers.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The answer to a text, by its SHA-256. */
export type Recorded = ReadonlyMap<string, unknown>;

export type ReplayModel = {
  /** The value of MODEL_URL. */
  readonly url: string;
  /** How many texts were asked about, and how many of them have no recorded answer. */
  readonly asked: () => { readonly all: number; readonly unknown: number };
  readonly close: () => Promise<void>;
};

export const hashText = (text: string): string => createHash("sha256").update(text).digest("hex");

type Question = { readonly messages: readonly { readonly role: string; readonly content: string }[] };

/** The text of a question is a JSON object between two lines with its random boundary. */
function textOf(body: string): string {
  const { messages } = JSON.parse(body) as Question;
  const user = messages.find(({ role }) => role === "user")?.content ?? "";
  return (JSON.parse(user.split("\n").slice(1, -1).join("\n")) as { readonly text: string }).text;
}

export async function startReplayModel(recorded: Recorded): Promise<ReplayModel> {
  let all = 0;
  let unknown = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const found = recorded.get(hashText(textOf(Buffer.concat(parts).toString("utf8"))));
      all += 1;
      unknown += Number(found === undefined);
      const content = JSON.stringify(found ?? { version: 1, steps: [], pieces: [] });
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ choices: [{ message: { role: "assistant", content } }] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: () => ({ all, unknown }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
