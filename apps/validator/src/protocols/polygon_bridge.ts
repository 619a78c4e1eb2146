/** The canonical bridge of Polygon PoS. */
import { keccak256 } from "viem/utils";
import { blob } from "../bytes/openings.ts";
import { exactly, native, token, type Party } from "../effects.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { feeds, openedBy } from "../uses.ts";
import { bridgeVerbs, counterpart, cross } from "./shared/bridging.ts";

const POLYGON = 137;

const deposit = blob("uint256 amount", { amount: feeds.amount });

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
    fn(
      "function depositEtherFor(address user) payable",
      ["manager"],
      { user: feeds.receiver },
      ([user], call) => ether(call, user, "user"),
    ),
    fn(
      "function depositFor(address user, address rootToken, bytes depositData)",
      ["manager"],
      { user: feeds.receiver, rootToken: feeds.asset, depositData: openedBy(deposit) },
      ([user, asset, data], call) => {
        const [amount] = call.open(deposit, data, "depositData");
        return cross({
          gives: { asset: token(asset), amount: exactly(amount), at: "depositData" },
          gets: { asset: counterpart(call, asset, 1, POLYGON), amount: exactly(amount), at: "depositData" },
          toChain: POLYGON,
          receiver: user,
          receiverAt: "user",
        });
      },
    ),
    // The proof determines the amount and the receiver: anyone can complete any withdrawal.
    fn("function exit(bytes inputData)", ["manager"], { inputData: feeds.choice }, ([proof]) => ({
      act: "claim",
      receiver: null,
      choices: [{ what: "request", value: keccak256(proof), at: "inputData" }],
    })),
  ],
  receive: { on: ["manager"], read: (call) => ether(call, call.sender) },
});
