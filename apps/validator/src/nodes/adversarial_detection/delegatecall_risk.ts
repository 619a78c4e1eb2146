/** Foreign code that runs in the account’s storage can replace its code, its owners and its balances. */
import { defineNode, fail, pass, short } from "../../node.ts";
import type { Address, Where } from "../../facts.ts";

/** Libraries that are meant to be called this way. */
const libraries = /multi_?send|library|sign_?message|create_?call|migration/i;

export default defineNode({
  title: "No unknown code runs as the account",
  failTitle: "Runs unknown code as your wallet",
  severity: "critical",
  needs: ["reading", "contracts"],
  check({ reading, contracts }) {
    const isLibrary = (code: Address): boolean =>
      contracts
        .at(code)
        .some(
          ({ protocol, role }) =>
            libraries.test(role) || (protocol.startsWith("safe") && libraries.test(protocol)),
        );
    const runs: readonly { readonly code: Address; readonly where: Where }[] = [
      ...reading.effects.flatMap(({ terms, where }) =>
        terms.delegatecall === undefined ? [] : [{ code: terms.delegatecall, where }],
      ),
      ...reading.leaves.flatMap(({ delegatecall, to, where }) =>
        delegatecall && to !== null ? [{ code: to, where: { call: where, field: "operation" } }] : [],
      ),
    ];
    const foreign = runs.find(({ code }) => !isLibrary(code));
    if (foreign === undefined) return pass("Only known libraries run as this account.");
    return fail(
      `The code at ${short(foreign.code)} would run as this account. It could change owners and take everything.`,
      {
        expected: "a plain call, or a known library",
        observed: `delegatecall to ${foreign.code}`,
        where: foreign.where,
        fix: "Set the operation to 0 (call).",
      },
    );
  },
});
