import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { fetchOk, makeSupervisor, startAnvil } from "../../engines/index.ts";
import { freePorts, makeTempDir, waitUntil } from "../../testing/index.ts";

const dir = makeTempDir("custodian-main");
const supervisor = makeSupervisor({ logDir: dir });
afterAll(() => supervisor.stop());

test("runs alone, and funds a vault on the chain it was given", async () => {
  const [port = 0, chainPort = 0] = await freePorts(2);
  const anvil = await startAnvil({ supervisor, dir, port: chainPort });
  const child = supervisor.start({
    name: "custodian",
    command: process.execPath,
    args: [join(import.meta.dirname, "main.ts")],
    cwd: dir,
    env: { HOST: "127.0.0.1", PORT: String(port), RPC_URL: anvil.url },
  });
  const made = await waitUntil(
    "it makes a vault",
    async () => (await fetchOk(`http://127.0.0.1:${port}/stand-in/vaults`, { method: "POST" })).json(),
    { child },
  );
  const { address } = made as { readonly address: string };
  const response = await fetchOk(anvil.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_getBalance", params: [address, "latest"] }),
  });
  const { result } = (await response.json()) as { readonly result: string };
  expect(BigInt(result)).toBe(100n * 10n ** 18n);
});
