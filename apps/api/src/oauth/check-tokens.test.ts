import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Problem } from "@countersign/platform/errors";
import { oauthErrors } from "./errors.ts";
import { chooseGranted, checkCode, checkRefresh } from "./check-tokens.ts";
import { allScopes } from "./scopes.ts";

// RFC 7636, appendix B.
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

const code = {
  isUsed: false,
  isExpired: false,
  isOver: false,
  failures: 0,
  redirectUri: "https://a.example/cb",
  codeChallenge: challenge,
};
const shown = { redirectUri: code.redirectUri, codeVerifier: verifier, checkResource: () => undefined };
const foreign = () => {
  throw oauthErrors.invalidTarget();
};

const outcomeOf = (check: () => string): string => {
  try {
    return check();
  } catch (error) {
    return error instanceof Problem ? error.code : "?";
  }
};

describe("a code", () => {
  test("is redeemed with its verifier, with or without its redirect URI", () => {
    expect(checkCode(code, shown)).toBe("redeem");
    expect(checkCode(code, { ...shown, redirectUri: undefined })).toBe("redeem");
  });
  test("records only what cannot be corrected: a second use, and a well-formed but wrong verifier", () => {
    expect(checkCode(code, { ...shown, codeVerifier: "w".repeat(43) })).toBe("wrong-verifier");
    expect(checkCode({ ...code, isUsed: true }, shown)).toBe("replayed");
    expect(outcomeOf(() => checkCode(code, { ...shown, codeVerifier: undefined }))).toBe(
      "oauth.invalid-grant",
    );
    expect(outcomeOf(() => checkCode(code, { ...shown, codeVerifier: "short" }))).toBe("oauth.invalid-grant");
  });
  test("is not redeemed with its challenge, nor with a verifier that differs in one character", () => {
    expect(checkCode(code, { ...shown, codeVerifier: challenge })).toBe("wrong-verifier");
    for (let at = 0; at < verifier.length; at++) {
      const other = verifier[at] === "a" ? "b" : "a";
      const codeVerifier = `${verifier.slice(0, at)}${other}${verifier.slice(at + 1)}`;
      expect(checkCode(code, { ...shown, codeVerifier })).toBe("wrong-verifier");
    }
    expect(checkCode(code, { ...shown, codeVerifier: `${verifier}a` })).toBe("wrong-verifier");
  });
  test("is checked in this order: used, expired, resource, redirect URI, verifier", () => {
    const bad = { redirectUri: "https://evil.example", codeVerifier: "w".repeat(43), checkResource: foreign };
    expect(checkCode({ ...code, isUsed: true, isExpired: true }, bad)).toBe("replayed");
    for (const over of [{ isExpired: true }, { isOver: true }, { failures: 3 }])
      expect(outcomeOf(() => checkCode({ ...code, ...over }, bad))).toBe("oauth.invalid-grant");
    expect(outcomeOf(() => checkCode(code, bad))).toBe("oauth.invalid-target");
    expect(outcomeOf(() => checkCode(code, { ...bad, checkResource: shown.checkResource }))).toBe(
      "oauth.invalid-grant",
    );
    expect(
      checkCode(
        { ...code, failures: 2 },
        { ...bad, ...{ redirectUri: undefined }, checkResource: shown.checkResource },
      ),
    ).toBe("wrong-verifier");
  });
});

test("a rejected code names what the client can correct", () => {
  expect(() => checkCode(code, { ...shown, redirectUri: "https://a.example/cc" })).toThrow("redirect_uri");
  expect(() => checkCode(code, { ...shown, codeVerifier: "x".repeat(42) })).toThrow("code_verifier");
});

test("an access token covers the requested part of the grant, or all of it", () => {
  const [first = "", second = ""] = allScopes;
  expect(chooseGranted(allScopes, undefined)).toEqual(allScopes);
  expect(chooseGranted(allScopes, second)).toEqual([second]);
  expect(outcomeOf(() => chooseGranted([], first).join())).toBe("oauth.invalid-scope");
});

describe("a refresh token", () => {
  const token = { isOver: false, isExpired: false, usedSecondsAgo: null, scopes: allScopes };
  const asked = { scope: undefined, checkResource: () => undefined };
  const policy = { reuse: "reject", graceSeconds: 60 } as const;

  test("rotates when it is unused, and is rejected when it or its family has ended", () => {
    expect(checkRefresh(token, asked, policy)).toBe("rotate");
    for (const over of [{ isExpired: true }, { isOver: true }])
      expect(outcomeOf(() => checkRefresh({ ...token, ...over }, asked, policy))).toBe("oauth.invalid-grant");
  });
  test("that was used is rejected by default, and ends its family exactly after the grace period", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e7, noNaN: true }), fc.boolean(), (usedSecondsAgo, isExpired) => {
        const outcome = outcomeOf(() => checkRefresh({ ...token, usedSecondsAgo, isExpired }, asked, policy));
        expect(outcome).toBe(usedSecondsAgo < 60 ? "oauth.invalid-grant" : "reused");
      }),
    );
  });
  test("that was used is answered again within the grace period if the operator allows it, and ends its family after it", () => {
    const replaying = { ...policy, reuse: "replay" } as const;
    expect(checkRefresh({ ...token, usedSecondsAgo: 59 }, asked, replaying)).toBe("rotate");
    expect(checkRefresh({ ...token, usedSecondsAgo: 60 }, asked, replaying)).toBe("reused");
  });
  test("grants no more scopes than before, and nothing for another server", () => {
    const [first = ""] = allScopes;
    const narrow = { ...token, scopes: allScopes.slice(0, 1) };
    expect(checkRefresh(narrow, { ...asked, scope: first }, policy)).toBe("rotate");
    const wide = { ...asked, scope: allScopes.join(" ") };
    expect(outcomeOf(() => checkRefresh(narrow, wide, policy))).toBe("oauth.invalid-scope");
    expect(outcomeOf(() => checkRefresh(token, { ...asked, checkResource: foreign }, policy))).toBe(
      "oauth.invalid-target",
    );
  });
});
