/** Functions of a Safe that change who controls it. */
import { fn } from "../../protocol.ts";
import { feeds } from "../../uses.ts";
import { administer, code, detailed, empower, picking } from "./admin-drafts.ts";

export const safeControl = [
  fn(
    "function addOwnerWithThreshold(address owner, uint256 threshold)",
    "anywhere",
    { owner: feeds.admin, threshold: feeds.admin },
    ([owner, threshold], call) => detailed(empower(call, "add_owner", owner, "owner"), { threshold }),
  ),
  fn(
    "function removeOwner(address prevOwner, address owner, uint256 threshold)",
    "anywhere",
    { prevOwner: feeds.admin, owner: feeds.admin, threshold: feeds.admin },
    ([listed, owner, threshold], call) =>
      detailed(administer(call, "remove_owner", owner, "owner"), { listed, threshold }),
  ),
  fn(
    "function swapOwner(address prevOwner, address oldOwner, address newOwner)",
    "anywhere",
    { prevOwner: feeds.admin, oldOwner: feeds.admin, newOwner: feeds.admin },
    ([listed, replaced, owner], call) =>
      detailed(empower(call, "swap_owner", owner, "newOwner"), { listed, replaced }),
  ),
  fn(
    "function changeThreshold(uint256 threshold)",
    "anywhere",
    { threshold: feeds.admin },
    ([threshold], call) => detailed(administer(call, "change_threshold", null, "threshold"), { threshold }),
  ),
  fn("function enableModule(address module)", "anywhere", { module: feeds.admin }, ([module], call) =>
    empower(call, "enable_module", module, "module"),
  ),
  fn(
    "function disableModule(address prevModule, address module)",
    "anywhere",
    { prevModule: feeds.admin, module: feeds.admin },
    ([listed, module], call) => detailed(administer(call, "disable_module", module, "module"), { listed }),
  ),
  fn("function setGuard(address guard)", "anywhere", { guard: feeds.admin }, ([guard], call) =>
    administer(call, "set_guard", guard, "guard"),
  ),
  fn(
    "function setModuleGuard(address moduleGuard)",
    "anywhere",
    { moduleGuard: feeds.admin },
    ([guard], call) => administer(call, "set_guard", guard, "moduleGuard"),
  ),
  fn(
    "function setFallbackHandler(address handler)",
    "anywhere",
    { handler: feeds.admin },
    ([handler], call) => empower(call, "set_fallback_handler", handler, "handler"),
  ),
  fn(
    "function changeMasterCopy(address masterCopy)",
    "anywhere",
    { masterCopy: feeds.admin },
    ([copy], call) => empower(call, "upgrade", copy, "masterCopy"),
  ),
  fn(
    "function approveHash(bytes32 hashToApprove)",
    "anywhere",
    { hashToApprove: feeds.choice },
    ([hash], call) =>
      picking(administer(call, "approve_hash", null, "hashToApprove"), ...code(hash, "hashToApprove")),
  ),
  fn("function signMessage(bytes data)", ["sign_message_lib"], { data: feeds.choice }, ([data], call) =>
    picking(administer(call, "sign_message", null, "data"), ...code(data, "data")),
  ),
];
