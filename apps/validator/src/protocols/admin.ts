/** Ownership, roles and upgrades, under the names contracts usually give them. Whoever wins one of these owns the contract. */
import { defineProtocol, fn, type ProtocolFunction } from "../protocol.ts";
import { administer } from "./shared/admin-drafts.ts";

/** One address takes over: name of the function, and what it is. */
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

/** Nobody is named: control is dropped, taken up or suspended. */
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

const named: readonly ProtocolFunction[] = [
  ...Object.entries(takeovers).map(([name, kind]) =>
    fn(`function ${name as "transferOwnership"}(address party)`, "anywhere", ([party]) =>
      administer(kind, party, "party"),
    ),
  ),
  ...Object.entries(bare).map(([name, kind]) =>
    fn(`function ${name as "pause"}()`, "anywhere", () => administer(kind, null, null)),
  ),
  ...Object.entries(roleChanges).map(([name, kind]) =>
    fn(`function ${name as "grantRole"}(bytes32 role, address account)`, "anywhere", ([, account]) =>
      administer(kind, account, "account"),
    ),
  ),
];

export default defineProtocol({
  title: "Ownership, roles and upgrades",
  names: [],
  contracts: {},
  functions: [
    ...named,
    fn("function transferOwnership(address newOwner, bool direct, bool renounce)", "anywhere", ([owner]) =>
      administer("transfer_ownership", owner, "newOwner"),
    ),
    fn(
      "function upgradeToAndCall(address implementation, bytes data) payable",
      "anywhere",
      ([implementation]) => administer("upgrade", implementation, "implementation"),
    ),
    fn("function upgrade(address proxy, address implementation)", "anywhere", ([, implementation]) =>
      administer("upgrade", implementation, "implementation"),
    ),
    fn(
      "function upgradeAndCall(address proxy, address implementation, bytes data) payable",
      "anywhere",
      ([, implementation]) => administer("upgrade", implementation, "implementation"),
    ),
    fn("function changeProxyAdmin(address proxy, address newAdmin)", "anywhere", ([, admin]) =>
      administer("change_admin", admin, "newAdmin"),
    ),
    fn(
      "function diamondCut((address facet, uint8 action, bytes4[] selectors)[] cut, address init, bytes data)",
      "anywhere",
      ([cut, init]) => administer("upgrade", cut[0]?.facet ?? init, "cut"),
    ),
    fn("function setUserRole(address user, uint8 role, bool enabled)", "anywhere", ([user, , enabled]) =>
      administer(enabled ? "grant_role" : "revoke_role", user, "user"),
    ),
    fn(
      "function grantRole(uint64 roleId, address account, uint32 executionDelay)",
      "anywhere",
      ([, account]) => administer("grant_role", account, "account"),
    ),
  ],
});
