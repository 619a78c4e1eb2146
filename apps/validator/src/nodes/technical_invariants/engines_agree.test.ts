import { testNode } from "../../../test/nodes.ts";
import node from "./engines_agree.ts";

const aHash = (digits: string) => `0x${digits.repeat(32)}` as const;
const first = { outcome: "succeeded", gas_used: "21000", logs: 0, hash: aHash("01") } as const;
const engine = "a second engine 1.0";

testNode(node, {
  pass: [
    { name: "the same result" },
    {
      name: "a transaction that neither engine executes",
      facts: {
        engines: {
          ...{ status: "agree", engine },
          first: { outcome: "not executable", gas_used: null, logs: 0, hash: aHash("01") },
        },
      },
    },
  ],
  fail: [],
  open: [
    {
      name: "one unit of gas",
      facts: {
        engines: {
          ...{ status: "differs", engine, first },
          second: { ...first, gas_used: "21001", hash: aHash("02") },
          differences: [{ what: "gas used", first: "21000", second: "21001" }],
        },
      },
      kind: "not_checked",
      because: "gas used: 21000 and 21001",
    },
    {
      name: "an answer about another state",
      facts: { engines: { status: "refused", why: "The answer of the second engine is for another state." } },
      kind: "not_checked",
      because: "for another state",
    },
    {
      name: "no answer where the operator requires one",
      facts: { engines: { status: "cannot", engine, why: "it took too long", isRequired: true } },
      kind: "not_checked",
      because: "it took too long",
    },
  ],
  skip: [
    { name: "no state", missing: "engines" },
    {
      name: "a second engine that cannot tell",
      facts: {
        engines: { status: "cannot", engine: null, why: "no second engine was asked", isRequired: false },
      },
      because: "no second engine was asked",
    },
  ],
});
