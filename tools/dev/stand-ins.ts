// Test doubles of the wallet services that cannot run here. Like the real ones they are separate processes that require our
// credentials and send on the chain. They keep their state in memory.
import { join } from "node:path";
import type { Child, Supervisor } from "../engines/supervisor.ts";
import { waitForListener } from "../engines/wait.ts";
import { root } from "./options.ts";
import type { StackUrls } from "./parts.ts";

type Options = {
  readonly supervisor: Supervisor;
  readonly urls: Pick<StackUrls, "custodian" | "walletProvider" | "anvil">;
};

/** Who we are at the wallet provider's stand-in. Both are good there only. */
const app = { id: "countersign-dev", secret: "of-the-development-stack" } as const;

const mainFile = (name: string): string => join(root, "tools/stand-ins", name, "main.ts");
const portOf = (url: string): string => new URL(url).port;

/** Settings of the API, so that development makes no external requests. */
export const standInSettings = ({ urls }: Pick<Options, "urls">): Readonly<Record<string, string>> => ({
  CUSTODIAN_URL: urls.custodian,
  WALLET_PROVIDER_URL: urls.walletProvider,
  WALLET_PROVIDER_APP_ID: app.id,
  WALLET_PROVIDER_APP_SECRET: app.secret,
});

export async function startCustodian({ supervisor, urls }: Options): Promise<Child> {
  const child = supervisor.start({
    name: "custodian",
    command: process.execPath,
    args: [mainFile("custodian")],
    cwd: root,
    env: { HOST: "127.0.0.1", PORT: portOf(urls.custodian), RPC_URL: urls.anvil },
  });
  await waitForListener(child, Number(portOf(urls.custodian)));
  return child;
}

export async function startWalletProvider({ supervisor, urls }: Options): Promise<Child> {
  const child = supervisor.start({
    name: "wallet-provider",
    command: process.execPath,
    args: [
      mainFile("wallet-provider"),
      ...["--port", portOf(urls.walletProvider), "--rpc-url", urls.anvil],
      ...["--app-id", app.id, "--app-secret", app.secret],
    ],
    cwd: root,
  });
  await waitForListener(child, Number(portOf(urls.walletProvider)));
  return child;
}
