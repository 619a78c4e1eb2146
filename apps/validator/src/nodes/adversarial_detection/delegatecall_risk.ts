/** Foreign code with this account’s storage can do anything: replace the account’s code, its owners, its balance. */
import { defineNode, fail, pass, short } from "../../node.ts";
import type { Address, Where } from "../../facts.ts";

/** Libraries that exist to be run this way. */
const libraries = /multi_?send|library|sign_?message|create_?call|migration/i;

export default defineNode({
  title: "No foreign code runs as this account",
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
    if (foreign === undefined) return pass("No code runs as this account but known libraries.");
    return fail(
      `The code at ${short(foreign.code)} would run as this account and may change everything about it.`,
      {
        expected: "a plain call, or a published library",
        observed: `delegatecall to ${foreign.code}`,
        where: foreign.where,
        fix: "Set the operation to 0 (call).",
      },
    );
  },
});
