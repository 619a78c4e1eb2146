// Tools for a model that send and sign with a guarded wallet. Each framework's entry wraps them in its own type of tool.
import { numberToHex } from "viem/utils";
import type { Account, Chain, Transport, WalletClient } from "viem";
import type { GuardOptions } from "../guard/guard-options.ts";
import { findNotApproved, NotApprovedError } from "../guard/not-approved.ts";
import type { Hex } from "../types.ts";
import { guard } from "../viem/guard.ts";

/** The result that a model gets. A refusal is a result, so that the model can report it. */
export type WalletToolResult =
  | {
      /** Sent: the transaction's hash. */
      readonly transactionHash: Hex;
    }
  | {
      /** Signed: the signature. It is returned once. */
      readonly signature: Hex;
    }
  | {
      /** Nothing was sent or signed, and why. */
      readonly refused: string;
      /** The proposal, if there was one. */
      readonly requestHash?: string;
    };

type Input = Readonly<Record<string, unknown>>;

type WalletTool = {
  readonly name: string;
  readonly description: string;
  readonly schema: { readonly type: "object" } & Readonly<Record<string, unknown>>;
  readonly run: (input: Input) => Promise<WalletToolResult>;
};

/** A viem wallet client with an account. */
export type ToolWallet = WalletClient<Transport, Chain | undefined, Account>;

const instructions =
  "It is verified against the user's request first, and the owner may have to approve it, so this can take minutes. " +
  "If the result has `refused`, nothing happened: tell the user the reason unchanged. Do not try variations.";

const text = (description: string): object => ({ type: "string", description });

const sendSchema = {
  type: "object",
  properties: {
    to: text("The recipient or contract, 0x-prefixed."),
    value: text("The amount of native currency in wei, as decimal digits. Default: 0."),
    data: text("The calldata, 0x-prefixed. Default: none."),
  },
  required: ["to"],
  additionalProperties: false,
} as const;

const signSchema = {
  type: "object",
  properties: {
    typedData: text("The EIP-712 data as JSON: domain, types, primaryType and message."),
  },
  required: ["typedData"],
  additionalProperties: false,
} as const;

/** The request is an option of the guard and no argument of a tool: a manipulated model would change it too. */
export function makeWalletTools(bare: ToolWallet, options: GuardOptions): readonly WalletTool[] {
  const wallet = guard(bare, options);
  const ask = (method: string, params: readonly unknown[]): Promise<Hex> =>
    wallet.request({ method, params } as never);
  return [
    {
      name: "send_transaction",
      description: `Send a transaction from the user's wallet. ${instructions}`,
      schema: sendSchema,
      run: (input) =>
        reportRefusal(async () => ({
          transactionHash: await ask("eth_sendTransaction", [writeTransaction(input)]),
        })),
    },
    {
      name: "sign_typed_data",
      description: `Sign EIP-712 data with the user's wallet, for example a permit or a payment. ${instructions}`,
      schema: signSchema,
      run: ({ typedData }) =>
        reportRefusal(async () => ({
          signature: await ask("eth_signTypedData_v4", [wallet.account.address, typedData]),
        })),
    },
  ];
}

/** Passes on members that it does not know: the guard refuses them. */
function writeTransaction({ value, ...others }: Input): object {
  if (value === undefined) return others;
  if (typeof value !== "string" || !/^[0-9]{1,78}$/.test(value))
    throw new NotApprovedError("Not sent: its value is not a number of wei in decimal digits");
  return { ...others, value: numberToHex(BigInt(value)) };
}

/** Errors of the network or the service are still thrown. */
async function reportRefusal(act: () => Promise<WalletToolResult>): Promise<WalletToolResult> {
  try {
    return await act();
  } catch (error) {
    const refusal = findNotApproved(error);
    if (refusal === undefined) throw error;
    const { message, transaction } = refusal;
    return {
      refused: message,
      ...(transaction === undefined ? {} : { requestHash: transaction.requestHash }),
    };
  }
}
