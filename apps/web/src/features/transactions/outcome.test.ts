import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  InvalidRequestError,
  ServiceError,
} from "@countersign/sdk";
import { describe, expect, test } from "vitest";
import { isOpen, outcomeOf } from "./outcome.ts";

const at = new Date("2026-01-01T12:00:00Z");
const refusal = {
  ...{ status: 400, method: "POST", path: "/x", message: "It is decided already", code: "x" },
  ...{ requestId: "r-1", retryAfterMs: undefined, body: {} },
};

describe("a decision that was not recorded", () => {
  test.each([new ConnectionError("gone"), new ServiceError({ ...refusal, status: 503 })])(
    "is unknown and open if it was sent without an answer: %s",
    (error) => {
      const outcome = outcomeOf(error, true, at);
      expect(outcome).toEqual({ kind: "unknown", since: at });
      expect(isOpen(outcome)).toBe(true);
    },
  );

  test("is refused if it was never sent", () => {
    expect(outcomeOf(new ConnectionError("gone"), false, at).kind).toBe("refused");
  });

  test("is refused with the service's message and reference", () => {
    const outcome = outcomeOf(new InvalidRequestError(refusal), true, at);
    expect(outcome).toEqual({ kind: "refused", sentence: "It is decided already", requestId: "r-1" });
    expect(isOpen(outcome)).toBe(false);
  });

  test("suggests a retry for a signature that was not accepted", () => {
    const outcome = outcomeOf(new AuthenticationError({ ...refusal, status: 401 }), true, at);
    expect(outcome).toMatchObject({
      kind: "refused",
      sentence: expect.stringContaining("may have expired") as string,
    });
  });

  test("names a refusal in the wallet", () => {
    const outcome = outcomeOf(Object.assign(new Error("no"), { code: 4001 }), false, at);
    expect(outcome).toMatchObject({ sentence: "You declined in your wallet. Nothing was sent." });
  });

  test("is refused by an unknown error status", () => {
    expect(outcomeOf(new ApiError({ ...refusal, status: 418 }), true, at).kind).toBe("refused");
  });
});
