/**
 * Minting, under its usual function names. The contract decides what it gives for the payment: the calldata shows
 * only its address, the price and the number.
 */
import { exactly, native, nft, token, type Asset, type Party } from "../effects.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { feeds, inert } from "../uses.ts";

const made = (call: CallView): Asset =>
  call.registry.token(call.chain, call.to) === null ? nft(call.to, null) : token(call.to);

const mint = (
  call: CallView,
  asset: Asset,
  part: { readonly n: bigint; readonly to: Party; readonly at: string },
): Draft => ({
  act: "mint",
  ...(call.value > 0n ? { gives: [{ asset: native, amount: exactly(call.value), at: "value" }] } : {}),
  gets: [{ asset, amount: exactly(part.n), at: part.at }],
  receiver: part.to,
  places: { amount: part.at, receiver: "to" },
});

const counted = ["mint", "publicMint", "mintPublic", "mintNFT", "publicSaleMint", "safeMint"] as const;
const single = ["mint", "publicMint", "mintNFT", "safeMint"] as const;

export default defineProtocol({
  title: "NFT mints",
  names: [],
  contracts: { seadrop: { 0: "0x00005ea00ac477b1030ce78506496e8c2de24bf5" } },
  functions: [
    ...counted.map((name) =>
      fn(`function ${name}(uint256 quantity) payable`, "anywhere", { quantity: feeds.minimum }, ([n], call) =>
        mint(call, made(call), { n, to: call.sender, at: "quantity" }),
      ),
    ),
    ...counted.map((name) =>
      fn(
        `function ${name}(address to, uint256 quantity) payable`,
        "anywhere",
        { to: feeds.receiver, quantity: feeds.minimum },
        ([to, n], call) => mint(call, made(call), { n, to, at: "quantity" }),
      ),
    ),
    ...single.map((name) =>
      fn(`function ${name}() payable`, "anywhere", {}, (_args, call) =>
        mint(call, made(call), { n: 1n, to: call.sender, at: "value" }),
      ),
    ),
    ...single.map((name) =>
      fn(`function ${name}(address to) payable`, "anywhere", { to: feeds.receiver }, ([to], call) =>
        mint(call, made(call), { n: 1n, to, at: "to" }),
      ),
    ),
    fn(
      "function mintPublic(address nftContract, address feeRecipient, address minterIfNotPayer, uint256 quantity) payable",
      ["seadrop"],
      {
        nftContract: feeds.asset,
        // Paid out of the price, which is the same for every receiver.
        feeRecipient: inert.attribution,
        minterIfNotPayer: feeds.receiver,
        quantity: feeds.minimum,
      },
      ([collection, , minter, n], call) =>
        mint(call, nft(collection, null), {
          n,
          to: /^0x0{40}$/.test(minter) ? call.sender : minter,
          at: "quantity",
        }),
    ),
  ],
});
