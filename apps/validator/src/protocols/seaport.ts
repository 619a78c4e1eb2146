/** Seaport, the marketplace contract of OpenSea: orders for NFTs, signed by one side and fulfilled by the other. */
import { defineProtocol } from "../protocol.ts";
import { seaportCalls } from "./shared/seaport-calls.ts";
import { seaportMessages } from "./shared/seaport-signed.ts";

export default defineProtocol({
  title: "Seaport",
  names: ["opensea", "seaport", "open sea", "opensea.io", "opensea pro"],
  verbs: { swap: ["buy_nft", "sell_nft"], mint: ["buy_nft"] },
  contracts: {
    seaport: {
      0: [
        "0x0000000000000068f116a894984e2db1123eb395",
        "0x00000000000000adc04c56bf30ac9d3c0aaf14dc",
        "0x00000000000001ad428e4906ae43d8f9852d0dd6",
        "0x00000000006c3852cbef3e08e8df289169ede581",
      ],
    },
    // Approvals are given to a conduit, which moves tokens only for Seaport.
    conduit: { 0: "0x1e0049783f008a0085193e00003d00cd54003c71" },
  },
  functions: seaportCalls,
  typedData: seaportMessages,
});
