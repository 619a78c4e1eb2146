import { tool, type StructuredToolInterface } from "@langchain/core/tools";
import type { GuardOptions } from "../guard/guard-options.ts";
import { makeWalletTools, type ToolWallet } from "../tools/wallet-tools.ts";

/**
 * Returns tools for LangChain: `send_transaction` and `sign_typed_data`, with a guarded wallet. A call of the model is
 * executed only if it is approved for the request in `words`, which the model cannot change. The result is
 * JSON; a refusal has `refused`.
 *
 * @example
 * const tools = walletTools(wallet, { countersign, words: "Send 0.01 ETH to 0x742d…f44e" });
 * const agent = createAgent({ model, tools });
 */
export const walletTools = (wallet: ToolWallet, options: GuardOptions): StructuredToolInterface[] =>
  makeWalletTools(wallet, options).map(
    ({ name, description, schema, run }) =>
      tool(async (input) => JSON.stringify(await run(input as Record<string, unknown>)), {
        ...{ name, description },
        schema: schema as never,
      }) as StructuredToolInterface,
  );
