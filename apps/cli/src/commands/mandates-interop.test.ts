import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { enforcerNames } from "@countersign/sdk/interop";
import { expect, test } from "vitest";
import { makeProfiles } from "../profiles/profiles.ts";
import { aService, emptyDirectory, run } from "../../test/run-cli.ts";

const id = "11111111-1111-4111-8111-111111111111";
const agent = `key:${id}`;
const asset = `eip155:1/erc20:0x${"c0".repeat(20)}`;
const delegate = `0x${"de".repeat(20)}`;
const limit = { measure: asset, span: "period", seconds: 86_400, most: "0.5", decimals: 6 };
const terms = {
  ...{ account: `0x${"ea".repeat(20)}`, homeChainId: 1, inbox: `0x${"1b".repeat(20)}`, agent },
  ...{ purpose: "Coffee", acts: ["transfer"], assets: [asset], recipients: ["*"], limits: [limit] },
  ...{ validFrom: 1_800_000_000, validUntil: 1_801_000_000, nonce: `0x${"5a".repeat(32)}` },
};

async function withFiles(files: Readonly<Record<string, unknown>>) {
  const directory = await emptyDirectory();
  for (const [name, content] of Object.entries(files))
    await writeFile(join(directory, name), typeof content === "string" ? content : JSON.stringify(content));
  return { path: (name: string) => join(directory, name), options: { configDirectory: directory } };
}

const enforcers = Object.fromEntries(
  enforcerNames.map((name, index) => [name, `0x${String(index + 1).padStart(40, "0")}`]),
);

test.each([
  ["erc7715", `--as erc7715 --delegate ${delegate}`, `--decimals ${asset}=6`],
  [
    "erc7710",
    `--as erc7710 --delegate ${delegate} --enforcers ENFORCERS`,
    `--decimals ${asset}=6 --enforcers ENFORCERS`,
  ],
])("export and import as %s give the same mandate", async (_format, exporting, importing) => {
  const { path, options } = await withFiles({ "mandate.json": { terms }, "enforcers.json": enforcers });
  const fill = (text: string) => text.replace("ENFORCERS", path("enforcers.json"));
  const exported = await run(`mandates export ${path("mandate.json")} ${fill(exporting)}`, options);
  expect(exported.code).toBe(0);
  await writeFile(path("permissions.json"), exported.stdout);
  const imported = await run(
    `mandates import ${path("permissions.json")} --agent ${agent} ${fill(importing)}`,
    options,
  );
  expect(JSON.parse(imported.stdout)).toMatchObject({
    agent,
    assets: [asset],
    limits: [limit],
    recipients: ["*"],
  });
});

test("export reads a mandate of the service by its id", async () => {
  const service = await aService({ [`GET /mandates/${id}`]: { body: { id, terms } } });
  const configDirectory = await emptyDirectory();
  const session = { accessToken: "access", refreshToken: "refresh" };
  await makeProfiles(configDirectory).change("mine", () => ({ url: service.url, session }));
  const ran = await run(`mandates export ${id} --as ap2 --json`, { configDirectory });
  expect(JSON.parse(ran.stdout)).toMatchObject({
    result: { natural_language_description: expect.stringContaining("Coffee") as string },
    narrowed: [expect.stringContaining("no amounts") as string, expect.any(String) as string],
  });
});

test("export notes on stderr where a permission allows less", async () => {
  const swaps = { ...terms, acts: ["transfer", "swap"] };
  const { path, options } = await withFiles({ "mandate.json": swaps });
  const ran = await run(
    `mandates export ${path("mandate.json")} --as erc7715 --delegate ${delegate}`,
    options,
  );
  expect(ran.stderr).toContain("Note: Only transfers are expressed, not swap.");
  expect(JSON.parse(ran.stdout)).toHaveLength(1);
});

test("a conversion that would allow more ends with 4 and the reasons", async () => {
  const limits = [limit, { ...limit, measure: "usd", decimals: 0, most: "5" }];
  const { path, options } = await withFiles({ "mandate.json": { ...terms, limits } });
  const ran = await run(
    `mandates export ${path("mandate.json")} --as erc7715 --delegate ${delegate}`,
    options,
  );
  expect(ran.code).toBe(4);
  expect(ran.stdout).toContain("a chain knows no prices");
});

test("import of an intent mandate needs the owner's assets and limits", async () => {
  const intent = {
    ...{ natural_language_description: "Red shoes", user_cart_confirmation_required: false },
    intent_expiry: "2999-01-01T00:00:00Z",
  };
  const { path, options } = await withFiles({
    "intent.json": intent,
    "own.json": { assets: [asset], limits: [limit] },
  });
  const command = `mandates import ${path("intent.json")} --agent ${agent}`;
  expect((await run(command, options)).code).toBe(2);
  const ran = await run(`${command} --with ${path("own.json")}`, options);
  expect(JSON.parse(ran.stdout)).toMatchObject({ purpose: "Red shoes", limits: [limit] });
});

test.each([
  ["export nothing.json --as ap2", "cannot be read"],
  ["export broken.json --as ap2", "is not JSON"],
  ["export list.json --as ap2", "is not a mandate"],
  ["export mandate.json --as erc7715", "--delegate"],
  [`export mandate.json --as erc7710 --delegate ${delegate}`, "--enforcers needs"],
  [`import list.json --agent ${agent}`, "none of these formats: erc7715"],
  [`import list.json --agent ${agent} --decimals six`, "--decimals must be"],
])("%s is wrong usage", async (command, message) => {
  const { path, options } = await withFiles({ "broken.json": "{", "list.json": [1], "mandate.json": terms });
  const ran = await run(`mandates ${command.replace(/\S+\.json/, path)}`, options);
  expect([ran.code, ran.stderr.replace(/\s+/g, " ")]).toEqual([2, expect.stringContaining(message)]);
});
