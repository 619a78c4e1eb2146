/**
 * Ownership, roles and upgrades, under their usual function names. The party that gains one of these controls the
 * contract.
 */
import type { Address, Hex } from "../proposal.ts";
import {
  defineProtocol,
  fn,
  type CallView,
  type Draft,
  type DraftChoice,
  type ProtocolFunction,
} from "../protocol.ts";
import { feeds, feedsAll } from "../uses.ts";
import { administer, code, controlled, picking } from "./shared/admin-drafts.ts";

/** One address takes over: the function's name, and the kind of control. */
const takeovers = {
  transferOwnership: "transfer_ownership",
  setOwner: "transfer_ownership",
  changeOwner: "transfer_ownership",
  transferOwner: "transfer_ownership",
  setPendingOwner: "transfer_ownership",
  nominateNewOwner: "transfer_ownership",
  transferAdmin: "change_admin",
  changeAdmin: "change_admin",
  setAdmin: "change_admin",
  setPendingAdmin: "change_admin",
  _setPendingAdmin: "change_admin",
  setGovernance: "change_admin",
  setGovernor: "change_admin",
  setController: "change_admin",
  setAuthority: "change_admin",
  setManager: "change_admin",
  setKeeper: "grant_role",
  setOperator: "grant_role",
  setMinter: "grant_role",
  addMinter: "grant_role",
  addAdmin: "grant_role",
  addOwner: "add_owner",
  addOperator: "grant_role",
  addWhitelist: "grant_role",
  rely: "grant_role",
  deny: "revoke_role",
  removeMinter: "revoke_role",
  removeOwner: "remove_owner",
  removeAdmin: "revoke_role",
  upgradeTo: "upgrade",
  setImplementation: "upgrade",
  _setImplementation: "upgrade",
  setTarget: "upgrade",
  upgradeBeaconTo: "upgrade",
  setDelegate: "grant_role",
  setFeeRecipient: "set_fee_recipient",
  setFeeTo: "set_fee_recipient",
  setTreasury: "set_fee_recipient",
} as const;

/** No party gains control: it is renounced, accepted or suspended. */
const bare = {
  renounceOwnership: "renounce_ownership",
  acceptOwnership: "accept_ownership",
  claimOwnership: "accept_ownership",
  acceptAdmin: "accept_ownership",
  _acceptAdmin: "accept_ownership",
  pause: "pause",
  unpause: "unpause",
  kill: "destroy",
  destroy: "destroy",
  selfDestruct: "destroy",
} as const;

const roleChanges = {
  grantRole: "grant_role",
  revokeRole: "revoke_role",
  renounceRole: "revoke_role",
} as const;

const roleOf = (role: Hex | bigint, at = "role"): DraftChoice => ({ what: "role", value: role, at });

const named: readonly ProtocolFunction[] = [
  ...Object.entries(takeovers).map(([name, kind]) =>
    fn(
      `function ${name as "transferOwnership"}(address party)`,
      "anywhere",
      { party: feeds.admin },
      ([party], call) => administer(call, kind, party, "party"),
    ),
  ),
  ...Object.entries(bare).map(([name, kind]) =>
    fn(`function ${name as "pause"}()`, "anywhere", {}, (_args, call) => administer(call, kind, null, null)),
  ),
  ...Object.entries(roleChanges).map(([name, kind]) =>
    fn(
      `function ${name as "grantRole"}(bytes32 role, address account)`,
      "anywhere",
      { role: feeds.choice, account: feeds.admin },
      ([role, account], call) => picking(administer(call, kind, account, "account"), roleOf(role)),
    ),
  ),
];

/** A proxy administered by another contract: the control of the proxy changes. */
const ofProxy = (draft: Draft, proxy: Address): Draft => ({
  ...draft,
  choices: [controlled(proxy, "proxy")],
});

type Cut = { readonly facet: Address; readonly action: number; readonly selectors: readonly Hex[] };

/** Each facet is new code of the contract, and so is the code that runs once to set it up. */
const cut = (cuts: readonly Cut[], init: Address, data: Hex, call: CallView): readonly Draft[] => [
  ...cuts.map(({ facet, action, selectors }, i) =>
    picking(administer(call, "upgrade", facet, `cut[${i}].facet`), {
      what: "setting",
      value: `${["add", "replace", "remove"][action] ?? action} ${selectors.join(" ")}`,
      at: `cut[${i}].selectors`,
    }),
  ),
  ...(/^0x0{40}$/.test(init)
    ? []
    : [picking(administer(call, "upgrade", init, "init"), ...code(data, "data"))]),
];

export default defineProtocol({
  title: "Ownership, roles and upgrades",
  names: [],
  contracts: {},
  functions: [
    ...named,
    fn(
      "function transferOwnership(address newOwner, bool direct, bool renounce)",
      "anywhere",
      { newOwner: feeds.admin, direct: feeds.choice, renounce: feeds.choice },
      ([owner, direct, renounce], call) =>
        picking(
          administer(call, "transfer_ownership", owner, "newOwner"),
          { what: "setting", value: direct ? "direct" : "pending", at: "direct", known: direct },
          { what: "setting", value: renounce ? "renounce" : "keep", at: "renounce", known: !renounce },
        ),
    ),
    fn(
      "function upgradeToAndCall(address implementation, bytes data) payable",
      "anywhere",
      { implementation: feeds.admin, data: feeds.choice },
      ([implementation, data], call) =>
        picking(administer(call, "upgrade", implementation, "implementation"), ...code(data, "data")),
    ),
    fn(
      "function upgrade(address proxy, address implementation)",
      "anywhere",
      { proxy: feeds.choice, implementation: feeds.admin },
      ([proxy, implementation], call) =>
        ofProxy(administer(call, "upgrade", implementation, "implementation"), proxy),
    ),
    fn(
      "function upgradeAndCall(address proxy, address implementation, bytes data) payable",
      "anywhere",
      { proxy: feeds.choice, implementation: feeds.admin, data: feeds.choice },
      ([proxy, implementation, data], call) =>
        picking(
          ofProxy(administer(call, "upgrade", implementation, "implementation"), proxy),
          ...code(data, "data"),
        ),
    ),
    fn(
      "function changeProxyAdmin(address proxy, address newAdmin)",
      "anywhere",
      { proxy: feeds.choice, newAdmin: feeds.admin },
      ([proxy, admin], call) => ofProxy(administer(call, "change_admin", admin, "newAdmin"), proxy),
    ),
    fn(
      "function diamondCut((address facet, uint8 action, bytes4[] selectors)[] cut, address init, bytes data)",
      "anywhere",
      {
        cut: { facet: feeds.admin, action: feeds.choice, selectors: feeds.choice },
        init: feeds.admin,
        data: feeds.choice,
      },
      ([cuts, init, data], call) => {
        if (/^0x0{40}$/.test(init) && data !== "0x")
          throw new Error("there is data for a call to no address");
        return cut(cuts, init, data, call);
      },
    ),
    fn(
      "function setUserRole(address user, uint8 role, bool enabled)",
      "anywhere",
      { user: feeds.admin, role: feeds.choice, enabled: feedsAll("admin", "act") },
      ([user, role, enabled], call) =>
        picking(administer(call, enabled ? "grant_role" : "revoke_role", user, "user"), roleOf(BigInt(role))),
    ),
    fn(
      "function grantRole(uint64 roleId, address account, uint32 executionDelay)",
      "anywhere",
      { roleId: feeds.choice, account: feeds.admin, executionDelay: feeds.choice },
      ([role, account, delay], call) =>
        picking(administer(call, "grant_role", account, "account"), roleOf(role, "roleId"), {
          what: "duration",
          value: BigInt(delay),
          at: "executionDelay",
          known: delay === 0,
        }),
    ),
  ],
});
