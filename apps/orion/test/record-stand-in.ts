// A test double of the main service: it records what is posted, and can be paused at a gate. It has the real one's
// rules: one verdict per request, repeating it is accepted, another is refused.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Attestation, Hex } from "@countersign/wire";
import type { WholeContent } from "@countersign/wire/envelope";

export type Posted = {
  readonly decision: string;
  readonly confidence: number;
  readonly analysis: string;
  readonly requestHash: Hex;
  readonly attestation: Attestation;
  readonly report?: unknown;
};

/** Where a post can be held: before it is recorded, so that it is lost, or after that and before the answer. */
type Gate = "before" | "after";

export type RecordStandIn = {
  readonly url: string;
  readonly expect: (requestHash: Hex) => void;
  /** The recorded verdict. */
  readonly verdictOf: (requestHash: Hex) => Posted | undefined;
  /** The number of attempts, successful or not. */
  readonly triesOf: (requestHash: Hex) => number;
  readonly proofOf: (requestHash: Hex) => unknown;
  readonly setTransactions: (escrow: Hex, transactions: readonly unknown[]) => void;
  /** The content of an unencrypted proposal. */
  readonly setContent: (requestHash: Hex, content: WholeContent) => void;
  readonly shut: (gate: Gate) => void;
  readonly open: () => void;
  /** How many posts are held. */
  readonly held: () => number;
  readonly close: () => void;
};

type Reply = { readonly status: number; readonly body: unknown };

export async function startRecordStandIn(key: string): Promise<RecordStandIn> {
  const known = new Set<string>();
  const verdicts = new Map<string, Posted>();
  const tries = new Map<string, number>();
  const proofs = new Map<string, unknown>();
  const transactions = new Map<string, readonly unknown[]>();
  const contents = new Map<string, WholeContent>();
  let shut: Gate | undefined;
  let opened = Promise.withResolvers<undefined>();
  let held = 0;

  /** Whether it was held. */
  const pass = async (gate: Gate): Promise<boolean> => {
    if (shut !== gate) return false;
    held++;
    await opened.promise;
    return true;
  };
  const post = async (hash: string, request: IncomingMessage): Promise<Reply> => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Posted;
    tries.set(hash, (tries.get(hash) ?? 0) + 1);
    // The sender of this post was killed in the meantime.
    if (await pass("before")) return { status: 503, body: {} };
    const first = verdicts.get(hash);
    if (first === undefined) verdicts.set(hash, body);
    else if (first.attestation.signature !== body.attestation.signature) return { status: 400, body: {} };
    await pass("after");
    return { status: 201, body: {} };
  };
  const takeProof = async (hash: string, request: IncomingMessage): Promise<Reply> => {
    proofs.set(hash, JSON.parse(Buffer.concat(await request.toArray()).toString()));
    return { status: 200, body: {} };
  };
  const readContent = (hash: string): Reply => {
    const content = contents.get(hash);
    return content === undefined ? { status: 404, body: {} } : { status: 200, body: content };
  };
  const readStatus = (hash: string): Reply => {
    const verdict = verdicts.get(hash);
    return { status: 200, body: { user: [], orion: verdict === undefined ? [] : [verdict] } };
  };
  const readStatuses = async (request: IncomingMessage): Promise<Reply> => {
    const asked = JSON.parse(Buffer.concat(await request.toArray()).toString()) as {
      readonly requestHashes: readonly string[];
    };
    const verifications = asked.requestHashes.map((requestHash) => {
      const verdict = verdicts.get(requestHash);
      const status = verdict !== undefined ? "decided" : known.has(requestHash) ? "open" : "unknown";
      const attestation = verdict?.attestation ?? null;
      return { requestHash, status, attestation, traceparent: null, executed: [] };
    });
    return { status: 200, body: { verifications } };
  };
  const answerInternal = async (kind: string, hash: string, request: IncomingMessage): Promise<Reply> => {
    if (kind === "verifications") return readStatuses(request);
    return kind === "proposals" ? readContent(hash) : takeProof(hash, request);
  };
  const answer = async (request: IncomingMessage): Promise<Reply> => {
    const { pathname } = new URL(request.url ?? "/", "http://record");
    const [, area = "", hash = "", what = ""] = pathname.split("/");
    if (area === "health") return { status: 200, body: {} };
    if (request.headers["x-api-key"] !== key) return { status: 401, body: {} };
    if (area === "internal") return answerInternal(hash, what, request);
    if (hash === "users") return { status: 200, body: transactions.get(what) ?? [] };
    if (!known.has(hash)) return { status: 404, body: {} };
    return what === "approvals" ? post(hash, request) : readStatus(hash);
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body } = await answer(request);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    expect: (requestHash) => void known.add(requestHash),
    verdictOf: (requestHash) => verdicts.get(requestHash),
    triesOf: (requestHash) => tries.get(requestHash) ?? 0,
    proofOf: (requestHash) => proofs.get(requestHash),
    setTransactions: (escrow, all) => void transactions.set(escrow, all),
    setContent: (requestHash, content) => void contents.set(requestHash, content),
    shut: (gate) => {
      [shut, held, opened] = [gate, 0, Promise.withResolvers()];
    },
    open: () => {
      shut = undefined;
      opened.resolve(undefined);
    },
    held: () => held,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
