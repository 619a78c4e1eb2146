/** One call that pays many. Each payee is an effect of its own, so one changed address among fifty is noticed. */
import { exactly, native, token, type Asset } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn, type Draft } from "../protocol.ts";
import { feeds } from "../uses.ts";

const pay = (asset: Asset, recipients: readonly Address[], values: readonly bigint[]): readonly Draft[] => {
  if (recipients.length !== values.length || recipients.length === 0)
    throw new Error("the lists have different lengths");
  return recipients.map((receiver, i) => ({
    act: "transfer" as const,
    gives: [{ asset, amount: exactly(values[i] ?? 0n), at: `values[${i}]` }],
    receiver,
    places: { receiver: `recipients[${i}]`, amount: `values[${i}]` },
  }));
};

const ON = ["disperse"];

export default defineProtocol({
  title: "Disperse",
  names: ["disperse", "disperse.app"],
  contracts: {
    disperse: Object.fromEntries(
      [1, 10, 56, 100, 137, 250, 8453, 42161, 43114, 11155111].map((chain) => [
        chain,
        "0xd152f549545093347a162dce210e7293f1452150" as const,
      ]),
    ),
  },
  functions: [
    fn(
      "function disperseEther(address[] recipients, uint256[] values) payable",
      ON,
      { recipients: feeds.receiver, values: feeds.amount },
      ([recipients, values], call) => [
        ...pay(native, recipients, values),
        // The contract returns what is left over.
        {
          act: "forward",
          payer: "venue",
          gives: [
            { asset: native, amount: { least: 0n, most: 2n ** 256n - 1n, everything: true }, at: "value" },
          ],
          receiver: call.sender,
        },
      ],
    ),
    ...(["disperseToken", "disperseTokenSimple"] as const).map((name) =>
      fn(
        `function ${name}(address token, address[] recipients, uint256[] values)`,
        ON,
        { token: feeds.asset, recipients: feeds.receiver, values: feeds.amount },
        ([address, recipients, values]) => pay(token(address), recipients, values),
      ),
    ),
  ],
});
