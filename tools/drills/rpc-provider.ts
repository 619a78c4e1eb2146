// A provider of chain access in front of the chain's node: node rpc-provider.ts <its port> <the node's port>. Two of these
// show the same chain, and one of them can be killed without the other.
import { connect, createServer } from "node:net";

const [port = 0, nodePort = 0] = process.argv.slice(2).map(Number);
createServer((caller) => {
  const node = connect(nodePort, "127.0.0.1");
  for (const [from, to] of [
    [caller, node],
    [node, caller],
  ] as const) {
    from.pipe(to);
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
  }
}).listen(port, "127.0.0.1");
