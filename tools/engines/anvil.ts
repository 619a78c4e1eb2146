import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Hex } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { engineFile } from "./engine-file.ts";
import type { Supervisor } from "./supervisor.ts";
import { fetchOk, waitForListener, waitUntil } from "./wait.ts";

export type DevAccount = { readonly address: Hex; readonly privateKey: Hex };

export type Anvil = {
  readonly url: string;
  readonly chainId: number;
  /** Known to the whole world: never send anything of value to them on a real chain. */
  readonly accounts: readonly DevAccount[];
  readonly pid: number;
  readonly stop: () => Promise<void>;
  readonly kill: () => Promise<void>;
};

type Options = {
  readonly supervisor: Supervisor;
  readonly dir: string;
  readonly port: number;
  readonly chainId?: number;
  /** Of the process and its log. Default: anvil. */
  readonly name?: string;
  /** The state that a SIGKILL can lose. The whole state is written each time and grows with every block, so not too often. */
  readonly saveEverySeconds?: number;
};

/** Sepolia's, because the contracts and messages we make are bound to the chain they will meet. */
const sepolia = 11_155_111;

export async function startAnvil(options: Options): Promise<Anvil> {
  const { supervisor, dir, port, chainId = sepolia, name = "anvil", saveEverySeconds = 30 } = options;
  mkdirSync(dir, { recursive: true });
  const stateFile = join(dir, "state.json");
  keepReadableState(stateFile);
  const child = supervisor.start({
    name,
    command: engineFile("@foundry-rs/anvil-linux-amd64", "bin/anvil"),
    args: [
      ...[
        "--host",
        "127.0.0.1",
        "--port",
        String(port),
        "--chain-id",
        String(chainId),
        "--mnemonic",
        mnemonic,
      ],
      // A block each second and an epoch of one slot: `finalized` moves, as it does on a real chain, without the wait.
      ...["--block-time", "1", "--slots-in-an-epoch", "1"],
      ...["--state", stateFile, "--state-interval", String(saveEverySeconds)],
      // Old states would go to ~/.foundry otherwise.
      ...["--cache-path", join(dir, "cache"), "--silent"],
    ],
    cwd: dir,
  });
  const url = `http://127.0.0.1:${port}`;
  await waitForListener(child, port);
  await waitUntil("anvil answers", () => readChainId(url), { child });
  return { url, chainId, accounts: devAccounts(), pid: child.pid, stop: child.stop, kill: child.kill };
}

/**
 * anvil writes its state in place, so a kill in the middle of a write leaves half a file, which it would refuse to load.
 * Each start keeps a copy of the state it found whole, and falls back to that.
 */
function keepReadableState(stateFile: string): void {
  const lastGood = `${stateFile}.last-start`;
  if (!existsSync(stateFile)) return;
  if (isJson(stateFile)) {
    copyFileSync(stateFile, lastGood);
    return;
  }
  renameSync(stateFile, `${stateFile}.unreadable`);
  if (existsSync(lastGood)) copyFileSync(lastGood, stateFile);
}

function isJson(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, "utf8"));
    return true;
  } catch {
    return false;
  }
}

export async function readChainId(url: string): Promise<number> {
  const response = await fetchOk(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId" }),
  });
  const { result } = (await response.json()) as { result: string };
  return Number(result);
}

const mnemonic = "test test test test test test test test test test test junk";

/** The ten accounts that have money on every local chain. */
export function devAccounts(): readonly DevAccount[] {
  return Array.from({ length: 10 }, (_, addressIndex) => {
    const account = mnemonicToAccount(mnemonic, { addressIndex });
    const key = account.getHdKey().privateKey;
    if (!key) throw new Error("The test mnemonic gave no private key.");
    return { address: account.address, privateKey: `0x${Buffer.from(key).toString("hex")}` };
  });
}
