// Plans on a real chain that changes while a call is planned.
import { rmSync } from "node:fs";
import { createPublicClient, createWalletClient, http, type Hex, type PublicClient } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inboxAbi } from "@countersign/contracts/abi";
import { ensureDeployed } from "@countersign/contracts/deploy";
import { devAccounts, makeSupervisor, startAnvil } from "@countersign/tools/engines";
import { freePorts, makeTempDir } from "@countersign/tools/testing";
import { planCall, type ContractCall } from "./plan-call.ts";

const dir = makeTempDir("plan-call");
const supervisor = makeSupervisor({ logDir: dir });
const [deployer, recorder] = devAccounts().map(({ privateKey }) => privateKeyToAccount(privateKey)) as [
  ReturnType<typeof privateKeyToAccount>,
  ReturnType<typeof privateKeyToAccount>,
];
let url: string;
let chainId: number;
let address: Hex;
beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  ({ url, chainId } = await startAnvil({ supervisor, dir: `${dir}/anvil`, port }));
  ({ inbox: address } = await ensureDeployed({
    ...{ file: `${dir}/deployment.json`, rpcUrl: url, deployer },
    ...{ registrar: deployer.address, recorders: [recorder.address] },
  }));
});
afterAll(async () => {
  await supervisor.stop();
  rmSync(dir, { recursive: true, force: true });
});

const recordRoot = (root: Hex) =>
  ({
    address,
    abi: inboxAbi,
    functionName: "recordRoot",
    args: [root, `0x${"2".repeat(64)}`, address],
  }) as const;

/** The call is mined after it was simulated and before its gas is estimated. */
function mineBetween(client: PublicClient, root: Hex): PublicClient {
  const wallet = createWalletClient({ account: recorder, transport: http(url) });
  const estimateContractGas = async (call: ContractCall & { readonly account: Hex }): Promise<bigint> => {
    const hash = await wallet.writeContract({ ...recordRoot(root), chain: null });
    await client.waitForTransactionReceipt({ hash, pollingInterval: 50 });
    return client.estimateContractGas(call);
  };
  return { ...client, estimateContractGas } as PublicClient;
}

const plan = async (root: Hex, change: (client: PublicClient) => PublicClient = (client) => client) => {
  const client = createPublicClient({ transport: http(url), cacheTime: 0 });
  return planCall({ client: change(client), chainId, signer: async () => recorder }, recordRoot(root));
};

test("a call that the contract takes has a plan", async () => {
  const planned = await plan(`0x${"a".repeat(64)}`);
  expect(planned).toMatchObject({ chainId, signer: recorder.address.toLowerCase() });
});

test("a call that another process has mined in the meantime is refused by the contract's error", async () => {
  const root: Hex = `0x${"b".repeat(64)}`;
  expect(await plan(root, (client) => mineBetween(client, root))).toEqual({ refusal: "RootAlreadyRecorded" });
});
