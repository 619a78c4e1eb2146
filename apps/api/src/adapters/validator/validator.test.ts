import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aReport, aValidator, says, type TestValidator } from "../../../test/adapters/validator.ts";
import { makeValidator, ValidatorBusy } from "./index.ts";

let standIn: TestValidator;
beforeAll(async () => {
  standIn = await aValidator();
});
afterAll(() => standIn.close());

const to = `0x${"11".repeat(20)}` as const;
const question = { intent: "Send nothing", tx: { to, value: "0", data: "0x" } } as const;
const judge = (timeoutMs?: number) =>
  makeValidator({ url: standIn.url, ...(timeoutMs === undefined ? {} : { timeoutMs }) }).judge(question);

describe("what the validator answers", () => {
  test("is given on whole", async () => {
    standIn.answer(says(200, aReport({ more: 1 })));
    expect(await judge()).toEqual(aReport({ more: 1 }));
  });
  test("is asked for where the validator keeps room for those without an account", async () => {
    standIn.answer(says(200, aReport()));
    await judge();
    expect(standIn.paths.at(-1)).toBe("/public/validate");
  });
  test("is an error of its own while there is no room", async () => {
    standIn.answer(says(503, { detail: "busy" }));
    await expect(judge()).rejects.toThrow(ValidatorBusy);
  });
  test("is not waited for beyond the deadline, also when it has begun", async () => {
    const beginnings = [
      () => undefined,
      (response: Parameters<Parameters<TestValidator["answer"]>[0]>[0]) => void response.write("{"),
    ];
    for (const begin of beginnings) {
      standIn.answer(begin);
      await expect(judge(100)).rejects.toThrow("the validator could not be asked, or not in time");
    }
  });
  test("is not read to the end when it is too long", async () => {
    standIn.answer((response) => {
      const chunk = Buffer.alloc(1024 * 1024, " ");
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once("drain", more);
      };
      response.writeHead(200);
      more();
    });
    await expect(judge(5_000)).rejects.toThrow("the validator could not be asked, or not in time");
  });
  test("is not looked for elsewhere", async () => {
    const elsewhere = await aValidator();
    standIn.answer((response) => response.writeHead(307, { location: `${elsewhere.url}/validate` }).end());
    await expect(judge()).rejects.toThrow("the validator could not be asked, or not in time");
    expect(elsewhere.asked).toEqual([]);
    await elsewhere.close();
  });
  test("is not repeated by an error, nor is the question or the address", async () => {
    standIn.answer(says(200, { secret: "abc" }));
    const error = await judge().then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
    expect(error?.message).toBe("the validator answered something else than a report");
    expect(error?.cause).toBeUndefined();
  });
});
