import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type TestValidator = {
  readonly url: string;
  /** Its requests, in order. */
  readonly asked: readonly unknown[];
  /** Their paths, in the same order. */
  readonly paths: readonly string[];
  /** Sets how it answers from now on. */
  readonly answer: (how: Answering) => void;
  readonly close: () => Promise<void>;
};

type Answering = (response: ServerResponse, request: IncomingMessage) => void;

export const says =
  (status: number, body: unknown): Answering =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

/** A test changes only what it is about. */
export const aReport = (more: object = {}): Record<string, unknown> => ({
  decision: "REJECT",
  reason: "Asked for 1 ETH. In the transaction: 10 ETH.",
  protocol: "native",
  primary_failure_node: "intent_alignment.amount_match",
  llm_calls: 0,
  results: {
    "intent_alignment.amount_match": {
      status: "FAIL",
      confidence: 1,
      reasoning: "Asked for 1 ETH. In the transaction: 10 ETH.",
      details: { severity: "critical" },
    },
  },
  extracted_elements: { steps: [] },
  context: { chain: { id: 1, assumed: false } },
  explanation: {
    summary: "More leaves than was asked.",
    decision: "REJECT",
    key_issues: [{ node: "intent_alignment.amount_match" }],
    affected_nodes: { intent_alignment: ["amount_match"] },
    confidence_summary: { overall: 1 },
    recommendations: [],
    metadata: { engine: "1" },
  },
  ...more,
});

export const aDescription = (more: object = {}): Record<string, unknown> => ({
  request: "Send 1 ETH to 0x742d35cc6634c0532925a3b844bc454e4438f44e on Ethereum.",
  why: null,
  steps: [
    {
      act: "transfer",
      sentence: "Send 1 ETH to 0x742d35cc6634c0532925a3b844bc454e4438f44e on Ethereum.",
      why: null,
    },
  ],
  ...more,
});

/** A validator that answers as a test tells it to. */
export async function aValidator(): Promise<TestValidator> {
  const asked: unknown[] = [];
  const paths: string[] = [];
  let answering: Answering = (response, request) => {
    says(200, request.url === "/public/describe" ? aDescription() : aReport())(response, request);
  };
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      asked.push(JSON.parse(text));
      paths.push(request.url ?? "");
      answering(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    paths,
    answer: (how) => {
      answering = how;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
