import fc from "fast-check";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { beforeAll, describe, expect, test } from "vitest";
import type { Page } from "../nodes/read-page.ts";
import { parseLossless, ValidateRequest } from "../request/index.ts";
import type { Engine } from "./engine.ts";
import { loadEngine } from "./load-engine.ts";
import { aLog } from "../../test/validate.ts";
import { validate, type Verdict } from "./validate.ts";

const clock = { now: () => new Date("2026-09-22T00:00:00Z") };
const config = { VALIDATOR_DATA_DIR: undefined, MAX_LIST_AGE_DAYS: 45, REQUIRE_SANCTIONS: false };
const { log, lines } = aLog();
let engine: Engine;

beforeAll(async () => {
  engine = await loadEngine({ config, version: "test", clock, log });
});

const bob = "0x742d35cc6634c0532925a3b844bc454e4438f44e";
const me = "0x7a16ff8270133f063aab6c9977183d9e72835428";
const across = parseAbi([
  "function depositV3(address depositor, address recipient, address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, address exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes message)",
]);
const payment = {
  human_intent: `Send 0.1 ETH to ${bob}`,
  proposed_tx: { to: bob, value: "100000000000000000" },
  metadata: { from: me, chain_id: 1 },
};

const judge = (body: unknown, given: Partial<Engine> = {}): Promise<Verdict> => {
  const parsed = parseLossless(JSON.stringify(body));
  return validate(ValidateRequest.parse("value" in parsed ? parsed.value : undefined), {
    ...engine,
    ...given,
  });
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const anyAddress = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => `0x${hex(bytes)}`);

describe("a verdict", () => {
  test("shows what arrives on another chain with the tokens of that chain", async () => {
    const [usdc, base] = [
      "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
      "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
    ];
    const args = [me, bob, usdc, base, 100_000_000n, 99_500_000n, 8453n, `0x${"0".repeat(40)}`] as const;
    const data = encodeFunctionData({
      abi: across,
      args: [...args, 1_790_035_000, 1_790_040_000, 0, "0x"] as never,
    });
    const { context } = await judge({
      human_intent: "Bridge 100 USDC to Base",
      proposed_tx: { to: "0x5c7bcd6e7de5423a257d81b442095a1a6ced35c5", data },
      metadata: { from: me, chain_id: 1 },
    });
    const arriving = { symbol: "USDC", address: base };
    expect(context).toMatchObject({
      effects: [{ gives: [{ symbol: "USDC", address: usdc }], gets: [{ ...arriving, least: "99.5" }] }],
      net_effect: {
        others: [{ party: bob, ...arriving, most: "unlimited", to_chain: 8453 }, { party: "venue" }],
      },
    });
  });

  test("titles a failed check by what is wrong, and an open one by its claim", async () => {
    const titles = async (body: unknown) => {
      const { explanation } = await judge(body);
      return (explanation?.key_issues as readonly { title: string }[]).map(({ title }) => title);
    };
    expect(await titles({ ...payment, proposed_tx: { to: me, value: "100000000000000000" } })).toContain(
      "Recipient isn’t the one you named",
    );
    expect(await titles({ ...payment, human_intent: "Send 0.1 ETH to Alice" })).toContain(
      "Name resolves to the paid address",
    );
  });

  describe("about data to sign", () => {
    const usdc = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
    const fieldsOf = (text: string) =>
      text.split(", ").map((field) => {
        const [type = "", name = ""] = field.split(" ");
        return { name, type };
      });
    const typed = (primaryType: string, fields: string, message: object) => ({
      domain: { name: "USD Coin", version: "2", chainId: 1, verifyingContract: usdc },
      types: { [primaryType]: fieldsOf(fields) },
      ...{ primaryType, message },
    });
    const nonce = `0x${"ab".repeat(32)}`;
    const signedPayment = (validBefore: string) =>
      typed(
        "TransferWithAuthorization",
        "address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce",
        { from: me, to: bob, value: "5000000", validAfter: "0", validBefore, nonce },
      );
    const signedAllowance = (deadline: string) =>
      typed("Permit", "address owner, address spender, uint256 value, uint256 nonce, uint256 deadline", {
        ...{ owner: me, spender: bob, value: "5000000", nonce: "0", deadline },
      });
    const now = clock.now().getTime() / 1000;
    test.each([
      ["an EIP-3009 payment", `Send 5 USDC to ${bob}`, signedPayment],
      ["a permit", `Approve ${bob} to spend 5 USDC`, signedAllowance],
    ])("passes %s as asked for, and rejects it once it has expired", async (_, intent, order) => {
      const outcome = async (until: number, metadata: object): Promise<unknown> => {
        const { decision } = await judge({
          human_intent: intent,
          proposed_tx: { order: order(String(until)), chainId: 1 },
          metadata: { ...payment.metadata, ...metadata },
        });
        return decision;
      };
      for (const metadata of [{ now }, {}]) {
        expect(await outcome(now + 600, metadata)).toBe("PASS");
        for (const until of [now, now - 1, now - 3600, 0])
          expect(await outcome(until, metadata), String(until)).toBe("REJECT");
      }
    });
  });

  test("is never a PASS for random bytes, and never an error", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyAddress,
        fc.uint8Array({ minLength: 4, maxLength: 200 }),
        fc.bigInt(1n, 2n ** 256n - 1n),
        async (to, data, value) => {
          const { decision } = await judge({
            ...payment,
            proposed_tx: { to, data: `0x${hex(data)}`, value: value.toString() },
          });
          expect(decision).toBe("REJECT");
        },
      ),
      { numRuns: 150 },
    );
    expect(lines()).toEqual([]);
  });

  test("stands for any JSON that has words", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()), async (words, junk) => {
        const { results } = await judge({
          human_intent: words,
          proposed_tx: { order: junk },
          metadata: junk,
        });
        expect(Object.keys(results)).toEqual(engine.nodes.map(({ id }) => id));
      }),
      { numRuns: 150 },
    );
    expect(lines()).toEqual([]);
  });

  test("does not become a PASS by adding another call", async () => {
    await fc.assert(
      fc.asyncProperty(anyAddress, fc.bigInt(1n, 10n ** 24n), async (to, value) => {
        const transactions = [payment.proposed_tx, { to, value: value.toString() }];
        expect((await judge({ ...payment, proposed_tx: { transactions } })).decision).toBe("REJECT");
      }),
      { numRuns: 50 },
    );
  });

  test("is a REJECT for a hostile text of 100 kB", async () => {
    const hostile = [
      " 1,000".repeat(16_000),
      "not ".repeat(25_000),
      "0x".repeat(50_000),
      `send ${"(".repeat(99_000)}`,
    ];
    for (const words of hostile)
      expect((await judge({ ...payment, human_intent: words })).decision).toBe("REJECT");
  });

  test("is returned without an explanation if explaining fails", async () => {
    let asked = 0;
    const page = {
      ...engine.nodes[0]?.page,
      // The results read it once; the explanation reads it again and fails.
      get remedy(): string {
        asked += 1;
        if (asked > 1) throw new Error("gone");
        return "Do better.";
      },
    } as Page;
    const nodes = engine.nodes.map((one) =>
      one.id === "intent_alignment.amount_match" ? { ...one, page } : one,
    );
    const verdict = await judge({ ...payment, proposed_tx: { to: bob, value: "1" } }, { nodes });
    expect(verdict).toMatchObject({ decision: "REJECT", explanation: null });
    expect(lines()).toMatchObject([{ msg: "explanation failed" }]);
  });
});

describe("a dot before three digits", () => {
  const usdc = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
  const paying = (words: string, units: bigint): Promise<Verdict> =>
    judge({
      human_intent: words,
      proposed_tx: {
        to: usdc,
        data: `0xa9059cbb${bob.slice(2).padStart(64, "0")}${units.toString(16).padStart(64, "0")}`,
      },
      metadata: { from: me, chain_id: 1 },
    });

  test.each([
    ["de", `Überweise 1.500 USDC an ${bob}`],
    ["pt", `Transfira 1.500 USDC para ${bob}`],
    ["es", `Transfiere 1.500 USDC a ${bob}`],
    ["fr", `Vire 1.500 USDC à ${bob}`],
  ])("in %s allows the thousands and refuses the fraction", async (_, words) => {
    expect((await paying(words, 1_500_000_000n)).decision).toBe("PASS");
    const fraction = await paying(words, 1_500_000n);
    expect(fraction.primary_failure_node).toBe("intent_alignment.amount_match");
  });
  test("in English allows neither", async () => {
    for (const units of [1_500_000_000n, 1_500_000n])
      expect((await paying(`Send 1.500 USDC to ${bob}`, units)).decision).toBe("REJECT");
  });
});
