// Spans of calls to other programs.
import { currentTraceparent, inSpan } from "./span.ts";

type Call = {
  /** The program's name, such as "validator". Never its address, which may contain a key. */
  readonly to: string;
  readonly method: string;
  /** The path with its parameters in braces. */
  readonly path?: string;
};

type Headers = Readonly<Record<string, string>>;

const headersNow = (): Headers => {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? {} : { traceparent };
};

async function run<T extends { readonly status: number }>(
  { to, method, path }: Call,
  call: () => Promise<T>,
): Promise<T> {
  const attributes = { "peer.service": to, "http.request.method": method };
  const name = path === undefined ? `${method} ${to}` : `${method} ${to} ${path}`;
  return inSpan(name, { kind: "client", attributes }, async (span) => {
    const answer = await call();
    span?.set({ "http.response.status_code": answer.status });
    if (answer.status >= 500) span?.fail(String(answer.status));
    return answer;
  });
}

/** Calls one of our own services, which continues the trace: the given headers have to be sent. */
export const callService = <T extends { readonly status: number }>(
  call: Call,
  send: (headers: Headers) => Promise<T>,
): Promise<T> => run(call, () => send(headersNow()));

/** Calls a program of others, which learns nothing about the trace. */
export const callOther = run;

type Requester = { readonly request: (call: never, ...rest: never[]) => Promise<unknown> };

/** Wraps a transport of the chain library, so that each JSON-RPC request to the node has a span. */
export const traceTransport =
  <Options extends unknown[], T extends Requester>(
    transport: (...options: Options) => T,
    to = "chain",
  ): ((...options: Options) => T) =>
  (...options) => {
    const made = transport(...options);
    const request = ((call: { readonly method: string }, ...rest: never[]) =>
      inSpan(
        `${call.method} ${to}`,
        { kind: "client", attributes: { "peer.service": to, "rpc.method": call.method } },
        () => made.request(call as never, ...rest),
      )) as T["request"];
    return { ...made, request };
  };
