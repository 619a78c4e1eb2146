/** ERC-7710: an account lets another act for it, within conditions that live in other contracts and that these bytes do not prove. */
import { decodeBlob } from "../bytes/decode.ts";
import type { Address, Hex } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type InnerCall } from "../protocol.ts";
import { administer, empower } from "./shared/admin-drafts.ts";
import { readExecution } from "./shared/execution-modes.ts";
import { addressAt } from "./shared/signed-fields.ts";

const DELEGATIONS =
  "(address delegate, address delegator, bytes32 authority, (address enforcer, bytes terms, bytes args)[] caveats, uint256 salt, bytes signature)[] delegations";

/** The last of a chain gave the first permission: its account acts. Without a chain the caller's own does. */
const actorOf = (context: Hex): Address | null => {
  if (context === "0x") return null;
  const chain = decodeBlob(DELEGATIONS, context)[0] as readonly { readonly delegator: Address }[];
  return chain.at(-1)?.delegator ?? null;
};

const redeem = (context: Hex, mode: Hex, data: Hex, call: CallView): readonly InnerCall[] => {
  const actor = actorOf(context);
  const { calls } = readExecution(mode, data, call);
  return (calls ?? []).map(({ account: _account, ...inner }) => ({
    ...inner,
    sender: actor ?? call.sender,
  }));
};

export default defineProtocol({
  title: "Delegations",
  names: [],
  contracts: { manager: { 0: "0xdb9b1e94b5b69df7e401ddbede43491141047db3" } },
  functions: [
    fn(
      "function redeemDelegations(bytes[] permissionContexts, bytes32[] modes, bytes[] executionCallDatas)",
      ["manager"],
      ([contexts, modes, datas], call) => {
        if (contexts.length !== modes.length || modes.length !== datas.length)
          throw new Error("the lists differ in length");
        return {
          calls: contexts.flatMap((context, i) =>
            redeem(context, modes[i] ?? "0x", datas[i] ?? "0x", call).map((inner) => ({
              ...inner,
              at: `executionCallDatas[${i}]`,
            })),
          ),
        };
      },
    ),
    fn(
      "function disableDelegation((address delegate, address delegator, bytes32 authority, (address enforcer, bytes terms, bytes args)[] caveats, uint256 salt, bytes signature) delegation)",
      ["manager"],
      ([{ delegate }]) => administer("revoke_delegation", delegate, "delegation.delegate"),
    ),
  ],
  typedData: [
    {
      primaryType: "Delegation",
      on: "anywhere",
      members: ["delegate", "delegator", "authority", "caveats", "salt"],
      read: ({ message }) => {
        const draft = empower("delegation", addressAt(message, "delegate"), "message.delegate");
        return draft.authority === undefined
          ? draft
          : {
              ...draft,
              payer: addressAt(message, "delegator"),
              authority: { ...draft.authority, signed: true },
            };
      },
    },
  ],
});
