/** A simulation shows every allowance and every change of control. The calldata must name them. */
import { defineNode, fail, pass, short, showAmount } from "../../node.ts";
import type { Asset, Effect, Reading, SimulatedApproval } from "../../facts.ts";

const covers = (granted: Asset | null, asset: Asset): boolean => {
  if (granted?.kind === "token" && asset.kind === "token") return granted.address === asset.address;
  if (granted?.kind !== "nft" || asset.kind !== "nft") return false;
  return granted.address === asset.address && (granted.id === null || granted.id === asset.id);
};

function isNamed({ effects }: Reading, { spender, asset, before, after }: SimulatedApproval): boolean {
  const allows = ({ authority, target, function: name }: Effect): boolean => {
    if (authority === null || !covers(authority.asset, asset)) return false;
    const named = authority.spender === "venue" ? target : authority.spender;
    const grown = name === "increaseAllowance" ? after - before : after;
    return named === spender && (asset.kind === "nft" || grown <= authority.amount.most);
  };
  return effects.some(allows);
}

export default defineNode({
  title: "Simulation grants nothing else",
  failTitle: "Grants more than the calldata says",
  severity: "high",
  needs: ["state", "simulation", "reading", "proposal", "registry"],
  check({ simulation, reading, ...world }) {
    const hidden = simulation.approvals.find((one) => !isNamed(reading, one));
    if (hidden !== undefined)
      return fail(
        `In the simulation ${short(hidden.spender)} may take ${showAmount(hidden.asset, hidden.after, world)} afterwards, which the calldata does not grant.`,
        {
          expected: "no allowance beyond the calldata",
          observed: `${hidden.after.toString()} base units for ${hidden.spender}`,
          fix: "Do not sign it.",
        },
      );
    const changesControl = reading.net.admin.length > 0;
    const callsItself = world.proposal.calls.some(({ to }) => to === world.proposal.actor);
    if (simulation.changesAccount && !changesControl && !callsItself)
      return fail("In the simulation the code or the storage of the account itself changes.", {
        expected: "an account that stays as it is",
        observed: "changed code or storage",
        fix: "Do not sign it.",
      });
    const [control] = simulation.control;
    if (control !== undefined && !changesControl)
      return fail(
        `In the simulation the ${control.kind} of ${short(control.address)} changes, which the calldata does not say.`,
        {
          expected: "no change of control",
          observed: `${control.kind} of ${control.address} becomes ${control.to}`,
          fix: "Do not sign it.",
        },
      );
    return pass("The simulation grants and changes only what the calldata names.", { confidence: 0.95 });
  },
});
