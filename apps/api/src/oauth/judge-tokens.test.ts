import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Problem } from "@countersign/platform/errors";
import { oauthErrors } from "./errors.ts";
import { chooseGranted, judgeCode, judgeRefresh } from "./judge-tokens.ts";
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

const outcomeOf = (judge: () => string): string => {
  try {
    return judge();
  } catch (error) {
    return error instanceof Problem ? error.code : "?";
  }
};

describe("a code", () => {
  test("is redeemed with its verifier, with its address or without one", () => {
    expect(judgeCode(code, shown)).toBe("redeem");
    expect(judgeCode(code, { ...shown, redirectUri: undefined })).toBe("redeem");
  });
  test("leaves a trace only for what cannot be mended: a second use, and a verifier that is one and not the right one", () => {
    expect(judgeCode(code, { ...shown, codeVerifier: "w".repeat(43) })).toBe("wrong-verifier");
    expect(judgeCode({ ...code, isUsed: true }, shown)).toBe("replayed");
    expect(outcomeOf(() => judgeCode(code, { ...shown, codeVerifier: undefined }))).toBe(
      "oauth.invalid-grant",
    );
    expect(outcomeOf(() => judgeCode(code, { ...shown, codeVerifier: "short" }))).toBe("oauth.invalid-grant");
  });
  test("is not redeemed with its challenge, nor with a verifier that differs in one character", () => {
    expect(judgeCode(code, { ...shown, codeVerifier: challenge })).toBe("wrong-verifier");
    for (let at = 0; at < verifier.length; at++) {
      const other = verifier[at] === "a" ? "b" : "a";
      const codeVerifier = `${verifier.slice(0, at)}${other}${verifier.slice(at + 1)}`;
      expect(judgeCode(code, { ...shown, codeVerifier })).toBe("wrong-verifier");
    }
    expect(judgeCode(code, { ...shown, codeVerifier: `${verifier}a` })).toBe("wrong-verifier");
  });
  test("is judged in this order: used, over, resource, address, verifier", () => {
    const bad = { redirectUri: "https://evil.example", codeVerifier: "w".repeat(43), checkResource: foreign };
    expect(judgeCode({ ...code, isUsed: true, isExpired: true }, bad)).toBe("replayed");
    for (const over of [{ isExpired: true }, { isOver: true }, { failures: 3 }])
      expect(outcomeOf(() => judgeCode({ ...code, ...over }, bad))).toBe("oauth.invalid-grant");
    expect(outcomeOf(() => judgeCode(code, bad))).toBe("oauth.invalid-target");
    expect(outcomeOf(() => judgeCode(code, { ...bad, checkResource: shown.checkResource }))).toBe(
      "oauth.invalid-grant",
    );
    expect(
      judgeCode(
        { ...code, failures: 2 },
        { ...bad, ...{ redirectUri: undefined }, checkResource: shown.checkResource },
      ),
    ).toBe("wrong-verifier");
  });
});

test("a refused code says what the client can correct", () => {
  expect(() => judgeCode(code, { ...shown, redirectUri: "https://a.example/cc" })).toThrow("redirect_uri");
  expect(() => judgeCode(code, { ...shown, codeVerifier: "x".repeat(42) })).toThrow("code_verifier");
});

test("an access token is for what was asked for of the grant, or for all of it", () => {
  const [first = "", second = ""] = allScopes;
  expect(chooseGranted(allScopes, undefined)).toEqual(allScopes);
  expect(chooseGranted(allScopes, second)).toEqual([second]);
  expect(outcomeOf(() => chooseGranted([], first).join())).toBe("oauth.invalid-scope");
});

describe("a refresh token", () => {
  const token = { isOver: false, isExpired: false, usedSecondsAgo: null, scopes: allScopes };
  const asked = { scope: undefined, checkResource: () => undefined };
  const policy = { reuse: "reject", graceSeconds: 60 } as const;

  test("rotates when it is fresh, and is refused when it or its family is over", () => {
    expect(judgeRefresh(token, asked, policy)).toBe("rotate");
    for (const over of [{ isExpired: true }, { isOver: true }])
      expect(outcomeOf(() => judgeRefresh({ ...token, ...over }, asked, policy))).toBe("oauth.invalid-grant");
  });
  test("that was used is never answered by default, and ends its family exactly after the grace", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e7, noNaN: true }), fc.boolean(), (usedSecondsAgo, isExpired) => {
        const outcome = outcomeOf(() => judgeRefresh({ ...token, usedSecondsAgo, isExpired }, asked, policy));
        expect(outcome).toBe(usedSecondsAgo < 60 ? "oauth.invalid-grant" : "reused");
      }),
    );
  });
  test("that was used is answered again within the grace where the operator wants that, and ends its family after it", () => {
    const replaying = { ...policy, reuse: "replay" } as const;
    expect(judgeRefresh({ ...token, usedSecondsAgo: 59 }, asked, replaying)).toBe("rotate");
    expect(judgeRefresh({ ...token, usedSecondsAgo: 60 }, asked, replaying)).toBe("reused");
  });
  test("gives no more than was granted, and nothing for another server", () => {
    const [first = ""] = allScopes;
    const narrow = { ...token, scopes: allScopes.slice(0, 1) };
    expect(judgeRefresh(narrow, { ...asked, scope: first }, policy)).toBe("rotate");
    const wide = { ...asked, scope: allScopes.join(" ") };
    expect(outcomeOf(() => judgeRefresh(narrow, wide, policy))).toBe("oauth.invalid-scope");
    expect(outcomeOf(() => judgeRefresh(token, { ...asked, checkResource: foreign }, policy))).toBe(
      "oauth.invalid-target",
    );
  });
});
