// Loaded into a wrapped Node program that has fixed URLs of nodes: every JSON-RPC request that it sends with fetch goes to the
// guarded RPC instead. It must not depend on anything, because it runs in another program.
import { env } from "node:process";

const rpcUrl = env.COUNTERSIGN_GUARDED_RPC_URL;
const { fetch, Request } = globalThis;

/** Whether a body is one request of Ethereum's JSON-RPC, or a list of them. */
function isRpc(body) {
  if (typeof body !== "string" || !body.includes('"jsonrpc"')) return false;
  try {
    const asked = [JSON.parse(body)].flat();
    return (
      asked.length > 0 &&
      asked.every((one) => one?.jsonrpc === "2.0" && /^(eth|net|web3|wallet|personal)_/.test(one.method))
    );
  } catch {
    return false;
  }
}

if (rpcUrl !== undefined)
  globalThis.fetch = async (input, init) => {
    const body =
      input instanceof Request && init?.body === undefined ? await input.clone().text() : init?.body;
    if (!isRpc(body)) return fetch(input, init);
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    return fetch(rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      ...(signal ? { signal } : {}),
    });
  };
