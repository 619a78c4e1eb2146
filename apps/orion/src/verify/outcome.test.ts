import { makeLog } from "@countersign/platform/log";
import {
  attest,
  hashProposal,
  hashSealedProposal,
  verdictOf,
  verdictTypedData,
  type Attestation,
  type Hex,
  type WireDomain,
} from "@countersign/wire";
import { digestOf, proposalOf, writeEnvelope } from "@countersign/wire/envelope";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { Unavailable } from "../adapters/http/index.ts";
import type { PostedVerdict, Standing } from "../adapters/record/index.ts";
import type { Keys } from "../keys/index.ts";
import { aContent, aWord, domain } from "../../test/proposals.ts";
import { makeVerifyAndPost } from "./verify-and-post.ts";
import type { Opinion } from "./opinion.ts";

const account = privateKeyToAccount(generatePrivateKey());
const address = account.address.toLowerCase() as Hex;
const keys: Keys = {
  signer: {
    address,
    signVerdict: async (home, verdict) =>
      attest(home, verdict, await account.signTypedData(verdictTypedData(home, verdict)), address),
  },
  unsealer: { unseal: async () => undefined } as unknown as Keys["unsealer"],
};
const content = aContent({ executionType: 0 });
const requestHash = hashProposal(domain, proposalOf(content));
const since = Date.parse("2026-11-01T00:00:00Z");
const approved: Opinion = {
  ...{ decision: "APPROVED", confidence: 1, analysis: "", report: {}, reportHash: aWord() },
};

type Options = {
  readonly opinion?: Opinion | (() => never);
  readonly takes?: "posted" | "refused";
  readonly standing?: Standing;
  readonly elapsedMs?: number;
  readonly bytes?: Uint8Array;
};

function aDesk({ opinion = approved, takes = "posted", elapsedMs = 0, ...options }: Options = {}) {
  const posted: PostedVerdict[] = [];
  const forgotten: Hex[] = [];
  const lines: string[] = [];
  const { bytes, standing = { kind: "open" } } = options;
  const verifyAndPost = makeVerifyAndPost({
    ...{ domain, keys: () => keys, clock: { now: () => new Date(since + elapsedMs) } },
    log: makeLog({ app: "test", level: "debug", to: { write: (line) => void lines.push(line) } }),
    inbox: {
      findEntry: async () => bytes && { contentDigest: digestOf(bytes), inbox: address },
    },
    payloads: { fetch: async () => bytes ?? new Uint8Array() },
    hintOf: () => (bytes === undefined ? { unsealed: content } : undefined),
    forget: (hash) => void forgotten.push(hash),
    record: {
      readStanding: async () => standing,
      readContent: async () => undefined,
      postVerdict: async (verdict) => {
        posted.push(verdict);
        return takes;
      },
    },
    formOpinion: async () => (typeof opinion === "function" ? opinion() : opinion),
  });
  const logged = (): unknown[] => lines.map((line) => JSON.parse(line) as unknown);
  return { verifyAndPost: (hash = requestHash) => verifyAndPost(hash, since), posted, forgotten, logged };
}

describe("a finished request is dropped, and the log names its outcome:", () => {
  test("posted", async () => {
    const desk = aDesk();
    await desk.verifyAndPost();
    expect(desk.forgotten).toEqual([requestHash]);
    expect(desk.logged()).toMatchObject([
      { level: 30, msg: "verification finished", key: requestHash, status: "posted", reason: "APPROVED" },
    ]);
  });
  test("refused", async () => {
    const desk = aDesk({ takes: "refused" });
    expect(await desk.verifyAndPost()).toEqual({ outcome: "refused" });
    expect(desk.forgotten).toEqual([requestHash]);
    expect(desk.logged()).toMatchObject([
      { level: 40, msg: expect.stringContaining("verdict") as string, status: "refused", reason: "" },
    ]);
  });
  test("is given up after an hour, and not a millisecond earlier", async () => {
    const opinion = () => {
      throw new Unavailable("the validator is away");
    };
    const early = aDesk({ opinion, elapsedMs: 3_599_999 });
    await expect(early.verifyAndPost()).rejects.toThrow("the validator is away");
    expect(early.forgotten).toEqual([]);
    expect(early.logged()).toMatchObject([{ level: 30, key: requestHash, reason: "the validator is away" }]);
    const late = aDesk({ opinion, elapsedMs: 3_600_000 });
    expect(await late.verifyAndPost()).toEqual({ outcome: "abandoned" });
    expect(late.forgotten).toEqual([requestHash]);
    expect(late.logged()).toMatchObject([{ level: 40, key: requestHash, reason: "the validator is away" }]);
  });
});

describe("logs a foreign error with its name and place alone:", () => {
  const withStack = (stack: string | undefined): Error =>
    Object.assign(new TypeError("canary"), { stack } as { stack: string });
  test.each([
    [
      "the first place",
      withStack("TypeError: canary\n    at read (a.ts:1:2)\n    at b"),
      "TypeError at read (a.ts:1:2)",
    ],
    ["no stack", withStack(undefined), "TypeError at an unknown place"],
    ["a stack without places", withStack("TypeError: canary"), "TypeError at an unknown place"],
    ["no error at all", "canary" as unknown as Error, "something else at an unknown place"],
  ])("%s", async (_, thrown, reason) => {
    const desk = aDesk({
      opinion: () => {
        throw thrown;
      },
    });
    await expect(desk.verifyAndPost()).rejects.toThrow(/^verification failed/);
    expect(desk.logged()[0]).toMatchObject({ level: 50, key: requestHash, reason });
    expect(JSON.stringify(desk.logged())).not.toContain("canary");
  });
});

describe("a verdict of our own key", () => {
  const standingOf = (attestation: Attestation): Standing => ({
    kind: "decided",
    attestations: [attestation],
  });
  const signedFor = async (home: WireDomain): Promise<Standing> => {
    const first = aDesk();
    await first.verifyAndPost();
    const { verdict } = first.posted[0]?.attestation ?? expect.unreachable("nothing was posted");
    return standingOf(await keys.signer.signVerdict(home, verdictOf(verdict)));
  };
  test("counts as posted", async () => {
    expect(await aDesk({ standing: await signedFor(domain) }).verifyAndPost()).toMatchObject({
      outcome: "posted",
    });
  });
  test.each([
    ["the next chain", { ...domain, chainId: domain.chainId + 1 }],
    ["an Inbox one digit off", { ...domain, inbox: `0x${"1b".repeat(19)}1c` as Hex }],
  ])("for %s does not", async (_, home) => {
    expect(await aDesk({ standing: await signedFor(home) }).verifyAndPost()).toEqual({ outcome: "decided" });
  });
});

describe("a report", () => {
  test("is posted with 900 KiB, and not with one byte more", async () => {
    const reportOf = (bytes: number) => "x".repeat(bytes - 2);
    for (const [report, isShown] of [
      [reportOf(921_600), true],
      [reportOf(921_601), false],
    ] as const) {
      const desk = aDesk({ opinion: { ...approved, report } });
      await desk.verifyAndPost();
      expect(desk.posted.map((verdict) => "report" in verdict)).toEqual([isShown]);
    }
  });

  test("is posted with its inputs if both fit, and otherwise alone", async () => {
    for (const [size, isShown] of [
      [300, true],
      [700_000, false],
    ] as const) {
      const bundle = Buffer.alloc(size, 1);
      const desk = aDesk({ opinion: { ...approved, bundle } });
      await desk.verifyAndPost();
      expect(desk.posted).toMatchObject([{ report: {} }]);
      expect(desk.posted[0]?.bundle).toBe(isShown ? bundle.toString("base64") : undefined);
    }
  });

  test("is posted for an encrypted proposal that is invalid: it reveals nothing of the content", async () => {
    const { escrow, chainId, executionType, deadline, salt } = content;
    const ciphertext = "-----BEGIN PGP MESSAGE-----\n\nnone\n-----END PGP MESSAGE-----";
    const outside = { escrow, chainId, executionType, deadline, salt, ciphertext };
    const bytes = writeEnvelope({ version: 1, form: "sealed", ...outside });
    const desk = aDesk({ bytes });
    expect(await desk.verifyAndPost(hashSealedProposal(domain, outside))).toMatchObject({
      decision: "REJECTED",
    });
    expect(desk.posted).toMatchObject([{ report: { source: "orion", outcome: "invalid" } }]);
  });
});

test("a verdict about a proposal without a deadline is valid for 24 hours", async () => {
  const desk = aDesk({ bytes: new TextEncoder().encode("no envelope") });
  await desk.verifyAndPost();
  expect(desk.posted[0]?.attestation.verdict).toMatchObject({
    ...{ issuedAt: since / 1000, validUntil: since / 1000 + 86_400 },
  });
});
