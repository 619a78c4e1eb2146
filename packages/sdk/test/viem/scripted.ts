// A Countersign that says what a test has it say, and a wallet's node that writes down what reaches it.
import { hashPayload, parsePayload, shapes } from "@countersign/wire";
import { createWalletClient, custom, parseTransaction, type Account, type Chain } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { sepolia } from "viem/chains";
import type { Countersign } from "../../src/client.ts";
import type { Hex, Proposal, Receipt, TransactionView } from "../../src/types.ts";
import { noPayload } from "../no-payload.ts";

export const requestHash: Hex = `0x${"ab".repeat(32)}`;
export const transactionHash: Hex = `0x${"cd".repeat(32)}`;
export const account = privateKeyToAccount(generatePrivateKey());

export const aView = (proposal: Proposal, over: Partial<TransactionView> = {}): TransactionView => ({
  ...{ id: "1", requestHash, description: proposal.userPrompt, status: "APPROVED", execution: 1 },
  ...{ createdAt: "2026-01-01T00:00:00Z", updatedAt: "2026-01-01T00:00:00Z", phase: "READY" },
  ...{ escrowAddress: proposal.escrowAddress ?? "", chainId: proposal.chainId ?? 11_155_111 },
  ...signedOf(proposal),
  ...{
    reason: null,
    reasonDetail: null,
    needsOwner: null,
    agent: "key:0190a000-0000-7000-8000-000000000001",
    mandateId: null,
    policyDecision: null,
    executor: "wallet",
    intentProvenance: "agent-claimed",
  },
  ...{ expiresAt: null, transactionHash: null, use: null, alert: null, chainWatched: true, notice: null },
  approvals: { user: [], orion: [], apiKey: [] },
  ...over,
});

function signedOf({ tx, ...proposal }: Proposal) {
  const none = { ...noPayload, tx: null };
  if (tx !== undefined)
    return {
      ...{ ...none, tx: { to: tx.to, value: (tx.value ?? 0n).toString(), data: tx.data ?? "0x" } },
      ...{ shape: "tx" as const, signingHash: null },
    };
  const shape = shapes.find((name) => proposal[name] !== undefined) ?? "typedData";
  return { ...none, shape, signingHash: hashPayload(parsePayload(shape, proposal[shape])) };
}

export type Script = {
  /** The state that the service reports for a proposal. Default: approved. */
  readonly decide?: (proposal: Proposal) => Partial<TransactionView>;
  readonly receipt?: (proposal: Proposal) => Promise<Receipt>;
  /** Afterwards, for whom the service sends. */
  readonly executed?: Partial<TransactionView>;
  /** More members of the answer to a proposal. */
  readonly proposed?: object;
  /** The answer to a release. Default: it succeeds. */
  readonly release?: () => Promise<unknown>;
};

export function scripted(script: Script = {}) {
  const { decide = () => ({}), receipt, executed, proposed, release } = script;
  const proposals: Proposal[] = [];
  const releases: (readonly [string, string])[] = [];
  const last = (): Proposal => {
    const proposal = proposals.at(-1);
    if (proposal === undefined) throw new Error("nothing was proposed");
    return proposal;
  };
  const said = {
    propose: async (proposal: Proposal) => {
      proposals.push(proposal);
      return { requestHash, ...proposed };
    },
    release: async (hash: string, signingHash: string) => {
      releases.push([hash, signingHash]);
      return release?.();
    },
    waitForStatus: async (_: string, [status]: readonly string[]) =>
      aView(last(), status === "EXECUTED" ? executed : decide(last())),
    receipt: async () => (await receipt?.(last())) ?? { report: null },
  };
  return { countersign: said as unknown as Countersign, proposals, releases };
}

type Request = { readonly method: string; readonly params?: readonly unknown[] };

const answers: Readonly<Record<string, unknown>> = {
  eth_chainId: "0xaa36a7",
  eth_getTransactionCount: "0x7",
  eth_estimateGas: "0x5208",
  eth_gasPrice: "0x3b9aca00",
  eth_maxPriorityFeePerGas: "0x3b9aca00",
  eth_getBlockByNumber: { number: "0x1", baseFeePerGas: "0x3b9aca00", transactions: [] },
  eth_getBalance: "0x64",
  eth_call: "0x",
  eth_sendTransaction: transactionHash,
  eth_sendRawTransaction: transactionHash,
};

export type Sent = {
  readonly to: unknown;
  readonly value: bigint;
  readonly data: string;
  readonly chainId: number;
};

/** A node, and a wallet at once for an account whose key it has. */
export function recordingNode(over: Readonly<Record<string, unknown>> = {}) {
  const requests: Request[] = [];
  const request = async (asked: Request): Promise<unknown> => {
    requests.push(structuredClone(asked));
    const { method } = asked;
    const answer = { ...answers, ...over }[method];
    if (answer === undefined) throw Object.assign(new Error(`no ${method}`), { code: -32601 });
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const wallet = (of: Account | Hex = account, chain: Chain = sepolia) =>
    createWalletClient({ account: of, chain, transport: custom({ request }) });
  /** All that could have moved money, as it would have. */
  const sent = (): Sent[] =>
    requests.flatMap(({ method, params }) => {
      if (method === "eth_sendTransaction") return [readRequest(params?.[0] as RpcTransaction)];
      return method === "eth_sendRawTransaction" ? [readRaw(params?.[0] as Hex)] : [];
    });
  /** Asked for a signature or anything else that is not a look at the chain. */
  const methods = (): string[] => requests.map(({ method }) => method);
  return { requests, wallet, sent, methods, request };
}

type RpcTransaction = {
  readonly to: string;
  readonly value: Hex;
  readonly data: string;
  readonly chainId: Hex;
};

const readRequest = ({ to, value, data, chainId }: RpcTransaction): Sent => ({
  ...{ to: to.toLowerCase(), data, value: BigInt(value), chainId: Number(chainId) },
});

function readRaw(raw: Hex): Sent {
  const { to, value = 0n, data = "0x", chainId = 0 } = parseTransaction(raw);
  return { to: to?.toLowerCase(), value, data, chainId };
}
