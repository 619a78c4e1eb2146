import { everything, exactly, nft, type Asset } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { feeds, feedsAll } from "../uses.ts";
import { code } from "./shared/admin-drafts.ts";

const one = (call: CallView, id: bigint): Asset => nft(call.to, id);

const move = (call: CallView, from: Address, to: Address, id: bigint): Draft => ({
  act: "transfer",
  gives: [{ asset: one(call, id), amount: exactly(1n), at: "tokenId" }],
  payer: from,
  receiver: to,
  places: { receiver: "to", payer: "from", amount: "tokenId" },
});

const ZERO = /^0x0{40}$/;

const moved = { from: feeds.payer, to: feeds.receiver, tokenId: feeds.asset };

/** These two have the shape of ERC-20 functions. Only for a known collection are they certain to concern one NFT. */
const shared = [
  fn(
    "function transferFrom(address from, address to, uint256 tokenId)",
    ["collection"],
    moved,
    ([from, to, id], call) => move(call, from, to, id),
  ),
  fn(
    "function approve(address to, uint256 tokenId)",
    ["collection"],
    { to: feedsAll("spender", "act"), tokenId: feeds.asset },
    ([to, id], call) => ({
      act: ZERO.test(to) ? "revoke" : "approve",
      authority: { spender: to, asset: one(call, id), amount: exactly(ZERO.test(to) ? 0n : 1n), at: "to" },
      places: { spender: "to", amount: "tokenId" },
    }),
  ),
];

export default defineProtocol({
  title: "ERC-721 tokens",
  names: [],
  contracts: {
    collection: {
      1: [
        "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
        "0x60e4d786628fea6478f785a6d7e704777c86a7c6",
        "0xba30e5f9bb24caa003e9f2f0497ad287fdf95623",
        "0xed5af388653567af2f388e6224dc7c4b3241c544",
        "0xbd3531da5cf5857e7cfaa92426877b022e612cf8",
        "0x5af0d9827e0c53e4799bb226655a1de152a425a5",
        "0x8a90cab2b38dba80c64b7734e58ee1db38b8992e",
        "0x49cf6f5d44e70224e2e23fdcdd2c053f30ada28b",
        "0x23581767a106ae21c074b2276d25e5c3e136a68b",
        "0x34d85c9cdeb23fa97cb08333b511ac86e1c4e258",
        "0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85",
        "0xc36442b4a4522e871399cd717abdd847ab11fe88",
      ],
      10: ["0xc36442b4a4522e871399cd717abdd847ab11fe88"],
      137: ["0xc36442b4a4522e871399cd717abdd847ab11fe88"],
      8453: ["0x03a520b32c04bf3beef7beb72e919cf822ed34f1"],
      42161: ["0xc36442b4a4522e871399cd717abdd847ab11fe88"],
      11155111: ["0x1238536071e1c677a632429e3655c799b22cda52"],
    },
  },
  functions: [
    ...shared,
    fn(
      "function safeTransferFrom(address from, address to, uint256 tokenId)",
      "anywhere",
      moved,
      ([from, to, id], call) => move(call, from, to, id),
    ),
    fn(
      "function safeTransferFrom(address from, address to, uint256 tokenId, bytes data)",
      "anywhere",
      { ...moved, data: feeds.choice },
      ([from, to, id, data], call) => ({ ...move(call, from, to, id), choices: code(data, "data") }),
    ),
    fn(
      "function setApprovalForAll(address operator, bool approved)",
      "anywhere",
      { operator: feeds.spender, approved: feedsAll("act", "amount") },
      ([operator, approved], call) => ({
        act: approved ? "approve" : "revoke",
        authority: {
          spender: operator,
          asset: nft(call.to, null),
          amount: approved ? everything : exactly(0n),
          at: "operator",
        },
        places: { spender: "operator", amount: "approved" },
      }),
    ),
  ],
});
