import { expect, it } from "vitest";
import { urlsOf, type Part } from "./parts.ts";
import { defaultPorts } from "./ports.ts";
import { renderStack } from "./table.ts";

const urls = urlsOf(defaultPorts);
const aStack = (parts: readonly Part[]): Parameters<typeof renderStack>[0] => ({
  urls,
  parts: () => parts,
  contracts: { accountRegistry: "0xa1", serviceRegistry: "0xb2", inbox: "0xc3" },
  serverKeys: {
    ...{ admin: "cs_admin_test_x", orion: "cs_orion_test_x", nudgeToken: "not shown" },
    push: { publicKey: "not shown", privateKey: "not shown" },
  },
  stop: async () => undefined,
});
const where = { cwd: "/checkout", dataDir: "/checkout/.data", tookMs: 3210 };

const api: Part = {
  name: "api",
  address: urls.api,
  status: "ready",
  logFile: "/checkout/.data/logs/api.log",
};
const anvil: Part = {
  name: "anvil",
  address: urls.anvil,
  status: "chain 11155111, contracts deployed",
  logFile: "/elsewhere/anvil.log",
};

it("shows every part, the contracts and what to do next", () => {
  expect(renderStack(aStack([anvil, api]), where)).toMatchInlineSnapshot(`
    "
      part   address                 status                              log
      anvil  http://127.0.0.1:18545  chain 11155111, contracts deployed  /elsewhere/anvil.log
      api    http://127.0.0.1:3000   ready                               .data/logs/api.log

      contracts  account registry  0xa1
                 service registry  0xb2
                 inbox             0xc3

      keys       admin  cs_admin_test_x
                 orion  cs_orion_test_x

    All green in 3.2 s. Try: curl http://127.0.0.1:3000/health
    Ctrl-C stops everything; data stays in .data (--fresh starts over, --logs shows logs)
    "
  `);
});

it("does not call it green when a part has ended meanwhile", () => {
  const text = renderStack(aStack([{ ...anvil, status: "exited (SIGKILL)" }, api]), where);
  expect(text).toContain("Up without anvil in 3.2 s.");
});

it("says where the pages are, if they are given out", () => {
  const web: Part = { ...api, name: "web", address: urls.web };
  expect(renderStack(aStack([api, web]), where)).toContain(
    "Try: curl http://127.0.0.1:3000/health\nOr open http://127.0.0.1:5173\nCtrl-C",
  );
});

it("suggests a part that is there", () => {
  const ipfs: Part = { ...anvil, name: "ipfs" };
  expect(renderStack(aStack([ipfs]), where)).toContain("Try: curl http://127.0.0.1:18088/health");
});
