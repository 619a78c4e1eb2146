// Fetches metadata documents of OAuth clients from URLs that strangers supply, without ever contacting a private
// address.
import { request } from "undici";
import { checkHost, isPublicAddress, makePublicAgent, type PublicAgentOptions } from "../public-web/index.ts";
import { readAtMost } from "../read-at-most.ts";

export type ReadClientDocument = (address: string) => Promise<{
  readonly document: unknown;
  /** Empty if the server sent none. */
  readonly cacheControl: string;
}>;

type Options = Partial<PublicAgentOptions> & { readonly totalMs?: number };

const longest = 10 * 1024;
const json = /^application\/(?:[a-z0-9.-]+\+)?json *(?:;|$)/i;

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const bytes = await readAtMost(body, longest);
  if (bytes === undefined) throw new Error(`the document is longer than ${longest} bytes`);
  return bytes.toString("utf8");
}

/** A repeated header is ignored. */
const textOf = (header: string | string[] | undefined): string => (typeof header === "string" ? header : "");

export function makeReadClientDocument({
  connectMs = 3000,
  totalMs = 5000,
  isAllowed = isPublicAddress,
  ...options
}: Options = {}): ReadClientDocument {
  const agent = makePublicAgent({ connectMs, isAllowed, ...options });
  return async (address) => {
    const url = new URL(address);
    if (url.protocol !== "https:") throw new Error("the URL of the document is not https");
    checkHost(url, isAllowed);
    const { statusCode, headers, body } = await request(address, {
      dispatcher: agent,
      signal: AbortSignal.timeout(totalMs),
      headers: { accept: "application/json" },
    });
    try {
      // A redirect counts as any other answer that is not the document.
      if (statusCode !== 200) throw new Error(`the server answered ${statusCode}`);
      if (!json.test(textOf(headers["content-type"]))) throw new Error("the document is not JSON");
      const document = JSON.parse(await readText(body)) as unknown;
      return { document, cacheControl: textOf(headers["cache-control"]) };
    } finally {
      // Destroying the unread body emits an error, which would end the process if unhandled.
      body.on("error", () => undefined).destroy();
    }
  };
}
