// A proxy that adds a credential for clients that cannot send one. It also replaces the resource names of a client's own
// fixture with ours.
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { freePorts } from "../engines/index.ts";

type Options = {
  readonly api: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Replacements in request bodies and in the header Mcp-Name. */
  readonly substitutes?: Readonly<Record<string, string>>;
};

type BearerProxy = { readonly url: string; readonly close: () => void };

export async function startBearerProxy({ api, headers, substitutes = {} }: Options): Promise<BearerProxy> {
  const [port = 0] = await freePorts(1);
  const { host, hostname, port: apiPort } = new URL(api);
  const isOwn = (name: string | undefined): boolean =>
    [`127.0.0.1:${port}`, `localhost:${port}`].includes(name ?? "");

  const substitute = (text: string): string =>
    Object.entries(substitutes).reduce((sent, [from, to]) => sent.replaceAll(from, to), text);

  /** Its own name becomes that of the service; any other is what the client wants to be refused for. */
  const headersOf = ({ headers: { host: asked, origin, ...others } }: IncomingMessage) => ({
    ...others,
    ...headers,
    host: isOwn(asked) ? host : asked,
    ...(typeof others["mcp-name"] === "string" ? { "mcp-name": substitute(others["mcp-name"]) } : {}),
    ...(origin === undefined ? {} : { origin: isOwn(origin.replace("http://", "")) ? api : origin }),
  });

  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = substitute((await buffer(incoming)).toString());
    const { "content-length": _length, "transfer-encoding": _encoding, ...sent } = headersOf(incoming);
    const { method, url: path } = incoming;
    const passedOn = request({ host: hostname, port: apiPort, path, method, headers: sent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passedOn.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passedOn.destroy());
    passedOn.end(body);
  };

  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
