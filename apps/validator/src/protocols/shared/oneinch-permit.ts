/** A permit that 1inch's router submits before another action: the token, then the permit in one of its forms. */
import { packed } from "../../bytes/openings.ts";
import { fn, type ProtocolFunction } from "../../protocol.ts";
import { feeds, openedAsCalls, openedBy } from "../../uses.ts";
import { permitForms, readPermit } from "./router-permits.ts";

const tokenAndPermit = packed("address token, bytes permit", {
  head: [
    { name: "token", bytes: 20, use: feeds.asset },
    { name: "permit", bytes: "rest", use: openedBy(...permitForms) },
  ],
});

export const permitAndCall: ProtocolFunction = fn(
  "function permitAndCall(bytes permit, bytes action) payable",
  ["router_v6"],
  { permit: openedBy(tokenAndPermit), action: openedAsCalls },
  ([permit, action], call) => {
    const { token = "0x", permit: signed = "0x" } = call.open(tokenAndPermit, permit, "permit").head;
    const approvals = readPermit(signed, { token: token, at: "permit.permit" }, call);
    if (approvals.length === 0) throw new Error("the permit is empty");
    return {
      effects: approvals,
      calls: [
        { to: call.to, value: call.value, data: action, sender: call.sender, program: true, at: "action" },
      ],
    };
  },
);
