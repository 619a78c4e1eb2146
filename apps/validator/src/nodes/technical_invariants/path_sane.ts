/** A route that cannot be traded, or that ends where it began. */
import { defineNode, fail, faultOn, pass, type Severity } from "../../node.ts";
import type { Effect } from "../../facts.ts";

/** The fault of a route, in a sentence. The reader’s faults first: they rest on the protocol’s own rules. */
function faultOf(effect: Effect): { readonly said: string; readonly severity: Severity } | null {
  const { path = [] } = effect.terms;
  const said = faultOn(effect, "route");
  if (said !== null) return said;
  if (path.length > 1 && path[0] === path.at(-1))
    return { said: "the route ends at the token it began with", severity: "high" };
  return path.some((hop, index) => index > 0 && hop === path[index - 1])
    ? { said: "the route goes from a token to itself", severity: "medium" }
    : null;
}

export default defineNode({
  title: "The route can be traded",
  severity: "medium",
  needs: ["market"],
  check({ market }) {
    for (const effect of market) {
      const fault = faultOf(effect);
      if (fault !== null)
        return fail(`The route makes no sense: ${fault.said}.`, {
          expected: "a route from the asset given to the asset wanted",
          observed: fault.said,
          where: effect.places["path"] ?? effect.where,
          severity: fault.severity,
          fix: "Take the route again from the venue’s own quote.",
        });
    }
    return pass("Every route leads from one asset to another.");
  },
});
