// An EIP-1193 wallet that does whatever it is asked, with a real key, and records it.
import { EventEmitter } from "node:events";
import { hexToBigInt, type TypedDataDefinition } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { account as own, transactionHash } from "../viem/scripted.ts";

type Asked = { readonly method: string; readonly params?: readonly unknown[] };

const reads: Readonly<Record<string, unknown>> = {
  eth_chainId: "0xaa36a7",
  eth_blockNumber: "0x1",
  eth_getBalance: "0x64",
  eth_call: "0x",
  eth_estimateGas: "0x5208",
  eth_gasPrice: "0x3b9aca00",
  eth_getTransactionCount: "0x7",
  eth_maxPriorityFeePerGas: "0x3b9aca00",
  // With all that ethers insists on.
  eth_getBlockByNumber: {
    ...{ number: "0x1", baseFeePerGas: "0x3b9aca00", transactions: [], timestamp: "0x1", difficulty: "0x0" },
    ...{ hash: `0x${"0a".repeat(32)}`, parentHash: `0x${"0b".repeat(32)}`, nonce: "0x0000000000000000" },
    ...{ gasLimit: "0x1c9c380", gasUsed: "0x0", extraData: "0x", miner: `0x${"0c".repeat(20)}` },
  },
};

export function makeWallet(over: Readonly<Record<string, unknown>> = {}, account: PrivateKeyAccount = own) {
  const asked: Asked[] = [];
  const answers: Readonly<Record<string, unknown>> = {
    ...reads,
    ...{ eth_accounts: [account.address], eth_requestAccounts: [account.address] },
    eth_sendTransaction: transactionHash,
    ...over,
  };
  const request = async ({ method, params = [] }: Asked): Promise<unknown> => {
    asked.push(structuredClone({ method, params }));
    const answer = answers[method];
    if (answer instanceof Error) throw answer;
    if (typeof answer === "function") return (answer as (...given: readonly unknown[]) => unknown)(...params);
    if (answer !== undefined) return answer;
    if (method === "eth_signTypedData_v4") return account.signTypedData(readTypedData(params[1]));
    if (method === "personal_sign")
      return account.signMessage({ message: { raw: params[0] as `0x${string}` } });
    // Everything else that it is asked, it signs.
    return account.signMessage({ message: JSON.stringify([method, params]) });
  };
  const provider = Object.assign(new EventEmitter(), {
    request,
    // As older wallets have them.
    send: (method: string, params: readonly unknown[]) => request({ method, params }),
    sendAsync: request,
    enable: () => request({ method: "eth_requestAccounts" }),
  });
  /** All that it was asked besides reads of the chain and its accounts. */
  const did = (): readonly string[] =>
    asked
      .map(({ method }) => method)
      .filter((method) => !(method in reads) && !/^eth_(requestA|a)ccounts$/.test(method));
  return { provider, asked, did };
}

/** As a wallet reads the JSON of `eth_signTypedData_v4`. */
const readTypedData = (json: unknown): TypedDataDefinition => {
  const { domain, types, primaryType, message } = JSON.parse(String(json)) as {
    readonly domain: Record<string, unknown>;
    readonly types: Record<string, unknown>;
    readonly primaryType: string;
    readonly message: Record<string, unknown>;
  };
  const { chainId } = domain;
  const chain = chainId === undefined ? {} : { chainId: readNumber(chainId) };
  return { domain: { ...domain, ...chain }, types, primaryType, message } as TypedDataDefinition;
};

const readNumber = (given: unknown): bigint =>
  typeof given === "string" && given.startsWith("0x")
    ? hexToBigInt(given as `0x${string}`)
    : BigInt(given as number);
