import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { connect } from "./connect.ts";
import { NotFoundError } from "./errors.ts";
import { aServer, breaksOff, says } from "../test/server.ts";

const begun = says(200, { code: "the-code", authUrl: "https://ui.example/connect?code=the-code" });

test("a connection is shown, waited for, and fetched with what it was begun with", async () => {
  const ready = says(200, { status: "ready", apiKey: "key", walletAddress: "0xabc" });
  await using server = await aServer(begun, says(200, { status: "pending" }), breaksOff, ready);
  const { code, authUrl, wait } = await connect({ url: server.url });
  expect([code, authUrl]).toEqual(["the-code", "https://ui.example/connect?code=the-code"]);
  expect(await wait({ everyMs: 1 })).toEqual({ apiKey: "key", walletAddress: "0xabc" });
  const [first, ...polls] = server.received;
  const { codeChallenge } = JSON.parse(first?.body ?? "") as { codeChallenge: string };
  expect(polls).toHaveLength(3);
  for (const { query, headers } of polls) {
    expect(query).toEqual({ code: "the-code" });
    const verifier = String(headers["x-connect-verifier"]);
    expect(createHash("sha256").update(verifier).digest("base64url")).toBe(codeChallenge);
  }
});

test("a code that has expired is not waited for", async () => {
  await using server = await aServer(begun, says(410, { message: "This code has expired" }));
  const { wait } = await connect({ url: server.url });
  await expect(wait()).rejects.toBeInstanceOf(NotFoundError);
});

test("whoever stops waiting is obeyed between two questions", async () => {
  await using server = await aServer(begun, says(200, { status: "pending" }));
  const { wait } = await connect({ url: server.url });
  const controller = new AbortController();
  const waiting = wait({ signal: controller.signal, everyMs: 60_000 }).catch((error: unknown) => error);
  while (server.received.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort(new Error("enough"));
  expect(await waiting).toMatchObject({ message: "enough" });
});
