import { describe, expect, test } from "vitest";
import { aService, run } from "../../test/run-cli.ts";

const to = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const from = "0x7a16fF8270133F063aAb6C9977183D9e72835428";
const request = `Send 0.1 ETH to ${to.toLowerCase()} on Ethereum.`;
const described = { request, why: null, steps: [{ act: "transfer", sentence: request, why: null }] };
const aValidator = (body: object) => aService({ "POST /public/describe": { body } });

const ask = async (body: object, ...more: readonly string[]) => {
  const validator = await aValidator(body);
  const ran = await run(["describe", "--to", to, "--value", "0.1ETH", "--chain", "1", ...more], {
    env: { COUNTERSIGN_VALIDATOR_URL: validator.url },
  });
  return { ...ran, asked: validator.asked };
};

describe("countersign describe", () => {
  test("prints the request that the transaction answers", async () => {
    const { code, stdout, stderr, asked } = await ask(described, "--from", from);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${request}\n`, stderr: "" });
    expect(asked.map(({ body }) => body)).toEqual([
      {
        proposed_tx: { to, value: "100000000000000000", data: "0x" },
        metadata: { chain_id: 1, from },
      },
    ]);
  });

  test("exits with 5 and the reason if there is none", async () => {
    const why = "We cannot describe this transaction: we do not know what this call does.";
    const { code, stdout } = await ask({ request: null, why, steps: [] });
    expect({ code, stdout }).toEqual({ code: 5, stdout: `${why}\n` });
  });

  test("prints the whole answer with --json", async () => {
    const { code, stdout } = await ask(described, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(described);
  });

  test("shows hidden characters of an answer", async () => {
    const { stdout } = await ask({ ...described, request: "Send\u202E 1 ETH" });
    expect(stdout).toContain("<U+202E>");
  });

  test.each([
    [["describe"], "--to"],
    [["describe", "--to", "0x12"], "--to needs an address"],
    [["describe", "--to", to, "--from", "me"], "--from needs an address"],
    [["describe", "--to", to, "--chain", "x"], "--chain needs a chain ID"],
  ])("exits with 2 for %j", async (args, message) => {
    const { code, stderr } = await run(args, { env: { COUNTERSIGN_VALIDATOR_URL: "http://127.0.0.1:1" } });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test("exits with 7 if the validator does not answer", async () => {
    const env = { COUNTERSIGN_VALIDATOR_URL: "http://127.0.0.1:1" };
    expect((await run(["describe", "--to", to], { env })).code).toBe(7);
  });
});
