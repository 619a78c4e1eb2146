import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { seed } from "./seed.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A node that only knows which chain it is. */
async function aChain(chainId: number): Promise<string> {
  const server = createServer((_, response) => {
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: `0x${chainId.toString(16)}` }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

// The dev accounts' keys are public. A contract that obeys them on a real chain obeys everybody.
it.each(["https://sepolia.example.org", "http://10.0.0.7:8545", "http://127.0.0.1.example.org"])(
  "refuses %s, which is not this machine",
  async (rpcUrl) => {
    await expect(seed({ rpcUrl, dataDir: "/nowhere" })).rejects.toThrow(
      "Seeding is for a chain on this machine",
    );
  },
);

it("refuses another chain than the development one", async () => {
  await expect(seed({ rpcUrl: await aChain(1), dataDir: "/nowhere" })).rejects.toThrow(
    "Seeding is for the development chain 11155111, and this one is 1.",
  );
});
