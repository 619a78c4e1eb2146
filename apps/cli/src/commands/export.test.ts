import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeProfiles } from "../profiles/profiles.ts";
import { aService, emptyDirectory, run, type Reply } from "../../test/run-cli.ts";

const whole =
  '{"kind":"export","data":{}}\n{"kind":"contact","data":{"name":"Ärger"}}\n{"kind":"end","data":{"lines":2}}\n';

async function asOwner(reply: Reply) {
  const service = await aService({ "GET /export": reply });
  const configDirectory = await emptyDirectory();
  const session = { accessToken: "access", refreshToken: "refresh" };
  await makeProfiles(configDirectory).change("mine", () => ({ url: service.url, session }));
  const directory = await emptyDirectory();
  return { service, directory, file: join(directory, "mine.ndjson"), options: { configDirectory } };
}
const sent = (text: string): Reply => ({ text, headers: { "content-type": "application/x-ndjson" } });

test("saves the lines as they come, in a file that only its owner may read", async () => {
  const { directory, file, options } = await asOwner(sent(whole));
  const ran = await run(["export", file], options);
  expect(ran).toMatchObject({ code: 0, stdout: `Saved 3 lines to ${file}.\n` });
  expect(await readFile(file, "utf8")).toBe(whole);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(directory)).toEqual(["mine.ndjson"]);
});

test("answers with the number of lines as JSON", async () => {
  const { file, options } = await asOwner(sent(whole));
  const ran = await run(["export", file, "--json"], options);
  expect(JSON.parse(ran.stdout)).toEqual({ file, lines: 3 });
});

test.each([
  ["an export that ends early", sent(whole.slice(0, 40))],
  ["an export without its last line", sent('{"kind":"export","data":{}}\n')],
  ["an empty answer", sent("")],
  [
    "another export that is being sent",
    { status: 409, body: { code: "export.underWay", message: "Another" } },
  ],
])("leaves no file after %s", async (_name, reply: Reply) => {
  const { directory, file, options } = await asOwner(reply);
  const ran = await run(["export", file], options);
  expect(ran.code).not.toBe(0);
  expect(await readdir(directory)).toEqual([]);
});

test("replaces no file, and asks for nothing then", async () => {
  const { service, file, options } = await asOwner(sent(whole));
  await writeFile(file, "mine");
  const ran = await run(["export", file], options);
  expect(ran).toMatchObject({ code: 2 });
  expect(ran.stderr).toContain("exists");
  expect(await readFile(file, "utf8")).toBe("mine");
  expect(service.asked).toEqual([]);
});
