/** ERC-7710: an account lets another act for it, under conditions in other contracts that the calldata does not prove. */
import { keccak256, stringToBytes } from "viem/utils";
import { blob } from "../bytes/openings.ts";
import type { Address, Hex } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type InnerCall } from "../protocol.ts";
import { feeds, inert, openedBy } from "../uses.ts";
import { administer, empower, picking } from "./shared/admin-drafts.ts";
import { executionMode, executions, readExecution } from "./shared/execution-modes.ts";
import { addressAt } from "./shared/signed-fields.ts";

const DELEGATION =
  "(address delegate, address delegator, bytes32 authority, (address enforcer, bytes terms, bytes args)[] caveats, uint256 salt, bytes signature)";

/** The delegators signed everything but the actor, and the manager checks it. */
const delegations = blob(`${DELEGATION}[] delegations`, {
  delegations: {
    delegate: inert.signature,
    delegator: feeds.payer,
    authority: inert.signature,
    caveats: inert.signature,
    salt: inert.replay,
    signature: inert.signature,
  },
});

/**
 * The last delegation of a chain comes from the root delegator: its account acts. Without a chain the caller's own
 * account does.
 */
const actorOf = (context: Hex, at: string, call: CallView): Address | null =>
  context === "0x"
    ? null
    : ((call.open(delegations, context, at)[0] as readonly { readonly delegator: Address }[]).at(-1)
        ?.delegator ?? null);

type Redeemed = { readonly context: Hex; readonly mode: Hex; readonly data: Hex };

const redeem = ({ context, mode, data }: Redeemed, i: number, call: CallView): readonly InnerCall[] => {
  const actor = actorOf(context, `permissionContexts[${i}]`, call);
  const at = { mode: `modes[${i}]`, data: `executionCallDatas[${i}]` };
  const { calls } = readExecution(mode, data, call, at);
  return (calls ?? []).map(({ account: _account, ...inner }) => ({
    ...inner,
    sender: actor ?? call.sender,
  }));
};

/** One party may hold several permissions. Only the hash shows which of them ends. */
const hashOf = (delegation: unknown): Hex =>
  keccak256(
    stringToBytes(
      JSON.stringify(delegation, (_key, value: unknown) =>
        typeof value === "bigint" ? value.toString() : value,
      ),
    ),
  );

export default defineProtocol({
  title: "Delegations",
  names: [],
  contracts: { manager: { 0: "0xdb9b1e94b5b69df7e401ddbede43491141047db3" } },
  functions: [
    fn(
      "function redeemDelegations(bytes[] permissionContexts, bytes32[] modes, bytes[] executionCallDatas)",
      ["manager"],
      {
        permissionContexts: openedBy(delegations),
        modes: openedBy(executionMode),
        executionCallDatas: executions,
      },
      ([contexts, modes, datas], call) => {
        if (contexts.length !== modes.length || modes.length !== datas.length)
          throw new Error("the lists have different lengths");
        return {
          calls: contexts.flatMap((context, i) =>
            redeem({ context, mode: modes[i] ?? "0x", data: datas[i] ?? "0x" }, i, call),
          ),
        };
      },
    ),
    fn(
      `function disableDelegation(${DELEGATION} delegation)`,
      ["manager"],
      {
        delegation: {
          delegate: feeds.admin,
          delegator: feeds.payer,
          authority: feeds.choice,
          caveats: feeds.choice,
          salt: feeds.choice,
          signature: feeds.choice,
        },
      },
      ([delegation], call) => ({
        ...picking(administer(call, "revoke_delegation", delegation.delegate, "delegation.delegate"), {
          what: "permission",
          value: hashOf(delegation),
          at: "delegation",
        }),
        payer: delegation.delegator,
      }),
    ),
  ],
  typedData: [
    {
      primaryType: "Delegation",
      on: "anywhere",
      members: ["delegate", "delegator", "authority", "caveats", "salt"],
      uses: {
        delegate: feeds.admin,
        delegator: feeds.payer,
        // Whatever its limits, it is assumed to allow everything.
        authority: inert.restricts,
        caveats: inert.restricts,
        salt: inert.replay,
        signature: inert.signature,
      },
      read: ({ message }, call) => {
        const draft = empower(call, "delegation", addressAt(message, "delegate"), "message.delegate");
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
