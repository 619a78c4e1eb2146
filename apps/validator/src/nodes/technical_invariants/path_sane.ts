/** A route that cannot be traded, or that ends where it starts. */
import { defineNode, fail, faultOn, pass, type Severity } from "../../node.ts";
import type { Effect } from "../../facts.ts";

/**
 * Returns the fault of a route. Faults found by the protocol’s reader come first, because they apply the protocol’s own
 * rules.
 */
function faultOf(effect: Effect): { readonly said: string; readonly severity: Severity } | null {
  const { path = [] } = effect.terms;
  const said = faultOn(effect, "route");
  if (said !== null) return said;
  if (path.length > 1 && path[0] === path.at(-1))
    return { said: "the route ends at the token it starts with", severity: "high" };
  return path.some((hop, index) => index > 0 && hop === path[index - 1])
    ? { said: "the route goes from a token to itself", severity: "medium" }
    : null;
}

export default defineNode({
  title: "Trade route is possible",
  failTitle: "Impossible trade route",
  severity: "medium",
  needs: ["market"],
  check({ market }) {
    for (const effect of market) {
      const fault = faultOf(effect);
      if (fault !== null)
        return fail(`The route cannot be traded: ${fault.said}.`, {
          expected: "a route from the sold asset to the bought asset",
          observed: fault.said,
          where: effect.places["path"] ?? effect.where,
          severity: fault.severity,
          fix: "Get a new route from the venue’s quote.",
        });
    }
    return pass("Every route leads from one asset to another.");
  },
});
