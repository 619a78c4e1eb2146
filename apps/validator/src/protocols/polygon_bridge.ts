/** The bridge that comes with Polygon PoS. */
import { decodeBlob } from "../bytes/decode.ts";
import { exactly, native, token, type Party } from "../effects.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { bridgeVerbs, counterpart, cross } from "./shared/bridging.ts";

const POLYGON = 137;

const ether = (call: CallView, receiver: Party, receiverAt?: string): Draft =>
  cross({
    gives: { asset: native, amount: exactly(call.value), at: "value" },
    gets: {
      asset: { kind: "unsaid", why: "ether as a token on Polygon" },
      amount: exactly(call.value),
      at: "value",
    },
    toChain: POLYGON,
    receiver,
    ...(receiverAt === undefined ? {} : { receiverAt }),
  });

export default defineProtocol({
  title: "Polygon bridge",
  names: [
    "polygon bridge",
    "pos bridge",
    "polygon portal",
    "polygon pos bridge",
    "native bridge",
    "canonical bridge",
    "official bridge",
  ],
  verbs: bridgeVerbs,
  contracts: { manager: { 1: "0xa0c68c638235ee32657e8f720a23cec1bfc77c77" } },
  functions: [
    fn("function depositEtherFor(address user) payable", ["manager"], ([user], call) =>
      ether(call, user, "user"),
    ),
    fn(
      "function depositFor(address user, address rootToken, bytes depositData)",
      ["manager"],
      ([user, asset, data], call) => {
        const [amount] = decodeBlob("uint256 amount", data) as readonly bigint[];
        if (amount === undefined) throw new Error("no amount");
        return cross({
          gives: { asset: token(asset), amount: exactly(amount), at: "depositData" },
          gets: { asset: counterpart(call, asset, 1, POLYGON), amount: exactly(amount), at: "depositData" },
          toChain: POLYGON,
          receiver: user,
          receiverAt: "user",
        });
      },
    ),
    // The proof names who is paid, and nobody else can be.
    fn("function exit(bytes inputData)", ["manager"], () => ({ act: "claim", receiver: null })),
  ],
  receive: { on: ["manager"], read: (call) => ether(call, call.sender) },
});
