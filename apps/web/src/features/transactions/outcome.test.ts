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

describe("a decision that did not come to a record", () => {
  test.each([new ConnectionError("gone"), new ServiceError({ ...refusal, status: 503 })])(
    "is not known once it was sent, and open: %s",
    (error) => {
      const outcome = outcomeOf(error, true, at);
      expect(outcome).toEqual({ kind: "unknown", since: at });
      expect(isOpen(outcome)).toBe(true);
    },
  );

  test("was never made where it was not sent, whatever went wrong", () => {
    expect(outcomeOf(new ConnectionError("gone"), false, at).kind).toBe("refused");
  });

  test("is refused in the service's own words, with the number to ask about", () => {
    const outcome = outcomeOf(new InvalidRequestError(refusal), true, at);
    expect(outcome).toEqual({ kind: "refused", sentence: "It is decided already", requestId: "r-1" });
    expect(isOpen(outcome)).toBe(false);
  });

  test("says of a signature that was not accepted what may help", () => {
    const outcome = outcomeOf(new AuthenticationError({ ...refusal, status: 401 }), true, at);
    expect(outcome).toMatchObject({
      kind: "refused",
      sentence: expect.stringContaining("too late") as string,
    });
  });

  test("is the person's own no, where they said it in their wallet", () => {
    const outcome = outcomeOf(Object.assign(new Error("no"), { code: 4001 }), false, at);
    expect(outcome).toMatchObject({ sentence: "You refused in your wallet. Nothing was sent." });
  });

  test("is refused also by an answer of a kind that came later than this was written", () => {
    expect(outcomeOf(new ApiError({ ...refusal, status: 418 }), true, at).kind).toBe("refused");
  });
});
