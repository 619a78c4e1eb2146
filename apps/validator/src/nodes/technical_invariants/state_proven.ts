/** A state that is not proven shows nothing. The verdict stays open, because the caller meant it to count. */
import { defineNode, pass, skip } from "../../node.ts";

export default defineNode({
  title: "State of the chain is proven",
  failTitle: "State of the chain is not proven",
  severity: "high",
  needs: ["state"],
  check({ state }) {
    if (state.status === "proven")
      return pass(
        `Everything that the call reads is proven to be the state of block ${state.block.number.toString()}.`,
        {
          evidence: [{ kind: "block", ref: state.block.hash, value: state.hash }],
        },
      );
    return skip("not_checked", state.why, {
      fix: "Capture the state of this call again, from another node if it persists.",
    });
  },
});
