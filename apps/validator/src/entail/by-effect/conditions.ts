/** The conditions for any effect of an unknown contract to count, whatever was requested. */
import type { Engines, Simulation } from "../../simulation.ts";

const short = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`;

/** Returns the first condition that does not hold, as a sentence; null if all hold. */
export function findObstacle(simulation: Simulation, engines: Engines | undefined): string | null {
  if (simulation.reverted !== null) return "The transaction would fail.";
  if (simulation.account !== simulation.sender) return "A Safe acts instead of the account.";
  if (simulation.diverged !== null)
    return "The contract behaves differently in another block or with other gas.";
  const unsure = whyUnsure(engines);
  if (unsure !== null) return unsure;
  if (simulation.unreadable > 0)
    return "Some events of the execution could not be read, so its effect may be incomplete.";
  const [approval] = simulation.approvals;
  if (approval !== undefined) return `It leaves an allowance for ${short(approval.spender)}.`;
  if (simulation.changesAccount) return "It changes the code or the storage of the account itself.";
  const [control] = simulation.control;
  return control === undefined ? null : `It changes the ${control.kind} of ${short(control.address)}.`;
}

/** A second engine that was asked must agree. That none was asked is the operator's choice, which a check of its own reports. */
function whyUnsure(engines: Engines | undefined): string | null {
  if (engines === undefined || engines.status === "agree") return null;
  if (engines.status === "cannot")
    return engines.engine === null && !engines.isRequired
      ? null
      : `A second engine did not confirm the execution: ${engines.why}.`;
  return engines.status === "refused" ? engines.why : "Two engines executed it with different results.";
}
