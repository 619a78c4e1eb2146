import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  aDescription,
  aReport,
  aValidator,
  says,
  type TestValidator,
} from "../../../test/adapters/validator.ts";
import { makeValidator, ValidatorBusy } from "./index.ts";

let standIn: TestValidator;
beforeAll(async () => {
  standIn = await aValidator();
});
afterAll(() => standIn.close());

const to = `0x${"11".repeat(20)}` as const;
const question = { intent: "Send nothing", tx: { to, value: "0", data: "0x" } } as const;
const check = (timeoutMs?: number) =>
  makeValidator({ url: standIn.url, ...(timeoutMs === undefined ? {} : { timeoutMs }) }).check(question);

describe("the validator's answer", () => {
  test("is passed on completely", async () => {
    standIn.answer(says(200, aReport({ more: 1 })));
    expect(await check()).toEqual(aReport({ more: 1 }));
  });
  test("is requested from the route for callers without an account", async () => {
    standIn.answer(says(200, aReport()));
    await check();
    expect(standIn.paths.at(-1)).toBe("/public/validate");
  });
  test("is a specific error while there is no capacity", async () => {
    standIn.answer(says(503, { detail: "busy" }));
    await expect(check()).rejects.toThrow(ValidatorBusy);
  });
  test("is not waited for beyond the deadline, also when it has begun", async () => {
    const beginnings = [
      () => undefined,
      (response: Parameters<Parameters<TestValidator["answer"]>[0]>[0]) => void response.write("{"),
    ];
    for (const begin of beginnings) {
      standIn.answer(begin);
      await expect(check(100)).rejects.toThrow("the validator did not answer in time");
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
    await expect(check(5_000)).rejects.toThrow("the validator did not answer in time");
  });
  test("is not requested from a redirect's target", async () => {
    const elsewhere = await aValidator();
    standIn.answer((response) => response.writeHead(307, { location: `${elsewhere.url}/validate` }).end());
    await expect(check()).rejects.toThrow("the validator did not answer in time");
    expect(elsewhere.asked).toEqual([]);
    await elsewhere.close();
  });
  test("does not appear in an error, nor does the request or the URL", async () => {
    standIn.answer(says(200, { secret: "abc" }));
    const error = await check().then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
    expect(error?.message).toBe("the validator did not answer with a report");
    expect(error?.cause).toBeUndefined();
  });
});

describe("a description", () => {
  const { tx } = question;
  const describeTx = (more: object = {}) => makeValidator({ url: standIn.url }).describe({ tx, ...more });

  test("is passed on completely", async () => {
    standIn.answer(says(200, aDescription({ more: 1 })));
    expect(await describeTx()).toEqual(aDescription({ more: 1 }));
    expect(standIn.paths.at(-1)).toBe("/public/describe");
  });
  test("is asked for with the transaction, and without a request", async () => {
    standIn.answer(says(200, aDescription()));
    await describeTx({ chainId: 1, from: to, knownAddresses: [{ address: to, label: "Bob" }] });
    expect(standIn.asked.at(-1)).toEqual({
      proposed_tx: { ...tx, chainId: 1 },
      metadata: { from: to, chain_id: 1, known_addresses: [{ address: to, label: "Bob" }] },
    });
  });
  test("is a specific error while there is no capacity", async () => {
    standIn.answer(says(503, { detail: "busy" }));
    await expect(describeTx()).rejects.toThrow(ValidatorBusy);
  });
  test("does not appear in an error", async () => {
    standIn.answer(says(200, { secret: "abc" }));
    await expect(describeTx()).rejects.toThrow("the validator did not answer with a description");
  });
});
