import { hashAuthorization as hashByEthers } from "ethers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyAddress, anyChainId, anyCount } from "../test/index.ts";
import { hashPayload, isFor, parseAuthorizationList, TypedDataProblem } from "./index.ts";

const address = `0x${"63".repeat(20)}` as const;
const tuple = (change: object = {}) => ({ chainId: 1, address, nonce: 7, ...change });
const everyChain = "must be one chain: 0 would be valid on every chain";

describe("an authorization", () => {
  test("has one form, however a library writes it", () => {
    const parsed = parseAuthorizationList([tuple()]);
    expect(parsed).toEqual([{ chainId: 1, address, nonce: "7" }]);
    for (const same of [
      ...parsed,
      tuple({ chainId: "0x1", nonce: "0x7" }),
      tuple({ chainId: 1n, nonce: 7n, address: `0x${"63".repeat(20)}` }),
    ])
      expect(parseAuthorizationList([same])).toEqual(parsed);
  });

  test("has the hash that ethers computes, also with the nonce 0", () => {
    const nonces = fc.oneof(anyCount, fc.constant(0));
    fc.assert(
      fc.property(anyChainId, anyAddress, nonces, (chainId, delegate, nonce) => {
        const authorizationList = parseAuthorizationList([{ chainId, address: delegate, nonce }]);
        expect(hashPayload({ shape: "authorizationList", authorizationList })).toBe(
          hashByEthers({ chainId, address: delegate, nonce }),
        );
      }),
    );
  });

  test.each([
    ["authorizationList", undefined],
    ["authorizationList", tuple()],
    ["authorizationList", []],
    ["authorizationList", [tuple(), tuple({ nonce: 8 })]],
    ["0", [null]],
    ["0.chainId", [tuple({ chainId: undefined })]],
    ["0.chainId", [tuple({ chainId: -1 })]],
    ["0.chainId", [tuple({ chainId: 2n ** 64n })]],
    ["0.address", [tuple({ address: "0x63" })]],
    ["0.address", [tuple({ address: null })]],
    ["0.nonce", [tuple({ nonce: undefined })]],
    ["0.nonce", [tuple({ nonce: 1.5 })]],
    ["0.nonce", [tuple({ nonce: 2n ** 53n })]],
    ["0.contractAddress", [tuple({ contractAddress: address })]],
    ["0.yParity", [tuple({ yParity: 1 })]],
  ])("with a wrong %s is rejected, and the problem names it", (at, json) => {
    const parse = () => parseAuthorizationList(json);
    expect(parse).toThrow(TypedDataProblem);
    expect(parse).toThrow(expect.objectContaining({ at }) as Error);
  });

  test.each([0, 0n, "0", "0x0", "0x00"])("for every chain, as the chain id %s, is rejected", (chainId) => {
    expect(() => parseAuthorizationList([tuple({ chainId })])).toThrow(everyChain);
  });

  test("is for its chain, and for every account", () => {
    const authorizationList = parseAuthorizationList([tuple()]);
    const payload = { shape: "authorizationList", authorizationList } as const;
    const escrow = `0x${"ab".repeat(20)}` as const;
    expect(isFor(payload, { chainId: 1, escrow })).toBe(true);
    expect(isFor(payload, { chainId: 10, escrow })).toBe(false);
  });
});
