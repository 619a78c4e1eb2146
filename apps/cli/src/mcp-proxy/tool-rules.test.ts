import { describe, expect, test } from "vitest";
import { chooseServer } from "./server-file.ts";
import { kindOf } from "./tool-rules.ts";

const readOnly = { annotations: { readOnlyHint: true } };

describe("a tool that no list names", () => {
  test.each([
    "get_balance",
    "getBalance",
    "list-tokens",
    "is_contract",
    "readContract",
    "estimate_gas",
    "search_docs",
  ])("%s passes, because of its name", (name) => {
    expect(kindOf(name, {})).toBe("passes");
  });

  test.each([
    ...[
      "transfer",
      "send_eth",
      "sendETH",
      "signMessage",
      "sign",
      "swap",
      "approve",
      "deployContract",
      "mint_nft",
    ],
    ...[
      "confirm",
      "do_it",
      "x",
      "",
      "getAndSend",
      "get_private_key",
      "export_wallet",
      "check_and_withdraw",
      "listMnemonic",
    ],
    ...["constructor", "toString", "__proto__"],
  ])("%s is refused", (name) => {
    expect(kindOf(name, {})).toBe("refused");
  });

  test("passes if the server declares it read-only, unless its name says otherwise", () => {
    expect(kindOf("weather", {}, readOnly)).toBe("passes");
    expect(kindOf("weather", {}, { annotations: { readOnlyHint: "true" } })).toBe("refused");
    expect(kindOf("transfer", {}, readOnly)).toBe("refused");
  });
});

test("a list decides before names and declarations do", () => {
  expect(kindOf("getBalance", { getBalance: "sends" }, readOnly)).toBe("sends");
  expect(kindOf("transfer", { transfer: "passes" })).toBe("passes");
});

test.each(["sei", "bnb-chain"])("no tool of %s that could use a key passes by its name alone", (name) => {
  const { tools } = chooseServer(name, []);
  const byName = Object.keys(tools).filter((tool) => kindOf(tool, {}) === "passes");
  for (const tool of byName) expect([tool, tools[tool]]).toEqual([tool, "passes"]);
});
