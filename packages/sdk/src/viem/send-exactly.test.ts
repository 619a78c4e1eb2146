import type { Hex, LocalAccount } from "viem";
import { sepolia } from "viem/chains";
import { describe, expect, test, vi } from "vitest";
import { CountersignError } from "../errors.ts";
import { NotApprovedError } from "../guard/not-approved.ts";
import type { Fees } from "../guard/read-send.ts";
import { sendExactly, type AnyWallet } from "./send-exactly.ts";
import { account, recordingNode, transactionHash } from "../../test/viem/scripted.ts";

const call = { to: "0x742d35Cc6634C0532925a3b844Bc454e4438f44e", value: 1n, data: "0x" } as const;
const chainId = sepolia.id;
const send = (wallet: unknown, fees: Fees = {}, maxFee = 10n ** 17n): Promise<Hex> =>
  sendExactly(wallet as AnyWallet, { call, fees, chainId, maxFee });
const failing = () =>
  recordingNode({ eth_sendRawTransaction: Object.assign(new Error("no"), { code: -32_000 }) });

describe("a wallet that signs itself", () => {
  test.each([
    [{}, {}],
    [{ type: "legacy" }, { type: "0x0" }],
    [{ type: "eip1559" }, { type: "0x2" }],
  ] as const)("is asked with the fees %o and no others", async (fees, written) => {
    const node = recordingNode();
    await send(node.wallet(account.address), fees);
    expect(node.requests).toStrictEqual([
      {
        method: "eth_sendTransaction",
        params: [
          { ...written, from: account.address, to: call.to, data: "0x", value: "0x1", chainId: "0xaa36a7" },
        ],
      },
    ]);
  });
});

describe("a wallet with its key here", () => {
  /** An account that notes what it is asked to sign. */
  function aSigner(over: Partial<LocalAccount> = {}) {
    const signTransaction = vi.fn(async (): Promise<Hex> => "0x02c0");
    return { signTransaction, signer: { ...account, ...over, signTransaction } as LocalAccount };
  }

  test("signs as its chain does, and in the usual way without one", async () => {
    const { signTransaction, signer } = aSigner();
    const transaction = vi.fn();
    const node = recordingNode({ eth_sendRawTransaction: transactionHash });
    const wallet = node.wallet(signer);
    for (const chain of [{ ...sepolia, serializers: { transaction } }, sepolia, undefined])
      expect(await send({ ...wallet, chain })).toBe(transactionHash);
    const options = signTransaction.mock.calls.map((asked: unknown[]) => asked[1]);
    expect(options).toStrictEqual([{ serializer: transaction }, {}, {}]);
  });

  test("sends only the two types of transaction that can be approved", async () => {
    const { signTransaction, signer } = aSigner();
    const node = recordingNode();
    for (const type of ["eip2930", "eip7702", undefined]) {
      const prepareTransactionRequest = async () => ({ type, gas: 1n });
      await expect(send({ ...node.wallet(signer), prepareTransactionRequest })).rejects.toThrow(
        `transactions of type ${String(type)}`,
      );
    }
    expect([signTransaction.mock.calls, node.sent()]).toEqual([[], []]);
  });

  test("takes its nonce back if nothing was sent", async () => {
    const nonceManager = { consume: async () => 7, get: async () => 7, increment: vi.fn(), reset: vi.fn() };
    const { signer } = aSigner({ nonceManager });
    await send(recordingNode().wallet(signer));
    expect(nonceManager.reset).not.toHaveBeenCalled();
    await expect(send(failing().wallet(signer))).rejects.toThrow("did not send it");
    expect(nonceManager.reset.mock.calls).toEqual([[{ address: account.address, chainId }]]);
  });

  test("says that it was approved and not sent, with the cause", async () => {
    const error: unknown = await send(failing().wallet()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CountersignError);
    expect((error as Error).cause).toBeInstanceOf(Error);
  });
});

test.each([account, account.address])("the fee may be the limit, and not one wei more", async (of) => {
  const fees = {
    gas: 21_000n,
    maxFeePerGas: 10n,
    maxPriorityFeePerGas: 1n,
    nonce: 1,
    type: "eip1559",
  } as const;
  expect(await send(recordingNode().wallet(of), fees, 210_000n)).toBe(transactionHash);
  const node = recordingNode();
  const error: unknown = await send(node.wallet(of), fees, 209_999n).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NotApprovedError);
  expect(node.sent()).toEqual([]);
});
