import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emptyDirectory } from "../../test/run-cli.ts";
import { chooseServer, readServerFile } from "./server-file.ts";

async function fileWith(content: unknown): Promise<string> {
  const path = join(await emptyDirectory(), "server.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

describe("a known server", () => {
  test.each([
    [["npx", "-y", "@sei-js/mcp-server"]],
    [["npx", "@sei-js/mcp-server@0.3.0"]],
    [["node", "/a/node_modules/@sei-js/mcp-server/bin/mcp-server.js"]],
  ])("is recognised in %j", (command) => {
    expect(chooseServer(undefined, command)).toMatchObject({ name: "@sei-js/mcp-server" });
  });

  test.each([[["npx", "@sei-js/mcp-server-of-mallory"]], [["npx", "@mallory/sei"]], [[]]])(
    "is not recognised in %j",
    (command) => {
      expect(chooseServer(undefined, command)).toEqual({ tools: {} });
    },
  );

  test("can be named", () => {
    expect(chooseServer("bnb-chain", ["node", "x.js"])).toMatchObject({ redirect: true });
  });
});

describe("a file", () => {
  test("is read with all its members", async () => {
    const content = { name: "x", version: "1", rpcEnv: ["URL"], redirect: false, tools: { pay: "sends" } };
    expect(chooseServer(await fileWith(content), [])).toEqual(content);
  });

  test.each([
    ["{", /cannot be read/],
    ["[]", /not a JSON object/],
    [{}, /needs tools/],
    [{ tools: { pay: "send" } }, /passes, sends or refused/],
    [{ tools: {}, tool: {} }, /unknown member, tool/],
    [{ tools: {}, rpcEnv: "URL" }, /rpcEnv as a list/],
    [{ tools: {}, rpcEnv: [1] }, /rpcEnv as a list/],
    [{ tools: {}, redirect: "yes" }, /redirect as true or false/],
    [{ tools: {}, name: 5 }, /name or version/],
  ])("%j is refused", async (content, why) => {
    const path = await fileWith(content);
    expect(() => readServerFile(path)).toThrow(why);
  });

  test("that does not exist is refused, with the names of the known servers", () => {
    expect(() => readServerFile("/nowhere.json")).toThrow(
      expect.objectContaining({ hint: expect.stringMatching(/bnb-chain, sei/) as string }) as Error,
    );
  });
});
