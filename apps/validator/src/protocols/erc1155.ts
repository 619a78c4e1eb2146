import { exactly, nft } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { feeds } from "../uses.ts";
import { code } from "./shared/admin-drafts.ts";

const moved = { from: feeds.payer, to: feeds.receiver, data: feeds.choice };

type Part = { readonly id: bigint; readonly amount: bigint; readonly at: string };

const move = (call: CallView, from: Address, to: Address, parts: readonly Part[]): Draft => ({
  act: "transfer",
  gives: parts.map(({ id, amount, at }) => ({ asset: nft(call.to, id), amount: exactly(amount), at })),
  payer: from,
  receiver: to,
  places: { receiver: "to", payer: "from" },
});

export default defineProtocol({
  title: "ERC-1155 tokens",
  names: [],
  contracts: {},
  functions: [
    fn(
      "function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)",
      "anywhere",
      { ...moved, id: feeds.asset, amount: feeds.amount },
      ([from, to, id, amount, data], call) => ({
        ...move(call, from, to, [{ id, amount, at: "amount" }]),
        choices: code(data, "data"),
      }),
    ),
    fn(
      "function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)",
      "anywhere",
      { ...moved, ids: feeds.asset, amounts: feeds.amount },
      ([from, to, ids, amounts, data], call) => {
        if (ids.length !== amounts.length) throw new Error("the numbers of ids and amounts differ");
        const parts = ids.map((id, i) => ({ id, amount: amounts[i] ?? 0n, at: `amounts[${i}]` }));
        return { ...move(call, from, to, parts), choices: code(data, "data") };
      },
    ),
  ],
});
