import { jsonSchema, tool, type ToolSet } from "ai";
import type { GuardOptions } from "../guard/guard-options.ts";
import { makeWalletTools, type ToolWallet } from "../tools/wallet-tools.ts";

/**
 * Returns tools for the AI SDK: `send_transaction` and `sign_typed_data`, with a guarded wallet. A call of the model is
 * executed only if it is approved for the request in `words`, which the model cannot change. A refusal is a
 * result with `refused`.
 *
 * @example
 * const tools = walletTools(wallet, { countersign, words: "Send 0.01 ETH to 0x742d…f44e" });
 * await generateText({ model, tools, prompt, stopWhen: isStepCount(5) });
 */
export const walletTools = (wallet: ToolWallet, options: GuardOptions): ToolSet =>
  Object.fromEntries(
    makeWalletTools(wallet, options).map(({ name, description, schema, run }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema<Record<string, unknown>>(schema as Parameters<typeof jsonSchema>[0]),
        execute: (input) => run(input),
      }),
    ]),
  );
