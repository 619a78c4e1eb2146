// A test double of a Sourcify-compatible service (API v2) that can be told to fail, to lie and to send too much.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type VerifiedContract = {
  readonly chainId: string;
  readonly address: string;
  readonly match: "exact_match" | "match";
  readonly verifiedAt: string;
  /** By the name of the field: `abi`, `deployment`, `compilation`. */
  readonly fields: Readonly<Record<string, unknown>>;
};

type Behaviour = "honest" | "fails" | "other_address" | "other_chain" | "too_much" | "not_json" | "empty_404";

export type SourcifyStandIn = {
  readonly url: string;
  contracts: readonly VerifiedContract[];
  behaviour: Behaviour;
  /** Paths with their query, in the order in which they were asked. */
  readonly asked: string[];
  readonly close: () => Promise<void>;
};

const otherAddress = `0x${"0d".repeat(20)}`;

export async function startSourcifyStandIn(): Promise<SourcifyStandIn> {
  const server = createServer((request, response) => {
    answer(standIn, request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const standIn: SourcifyStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    contracts: [],
    behaviour: "honest",
    asked: [],
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => {
          done();
        });
      }),
  };
  return standIn;
}

function answer(standIn: SourcifyStandIn, { url = "" }: IncomingMessage, response: ServerResponse): void {
  standIn.asked.push(url);
  const { pathname, searchParams } = new URL(url, standIn.url);
  const [, chainId = "", address = ""] = /^\/v2\/contract\/(\d+)\/(0x[0-9a-fA-F]{40})$/.exec(pathname) ?? [];
  const send = (status: number, body: unknown): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const { behaviour } = standIn;
  const found = findContract(standIn, chainId, address);
  const fields = searchParams.get("fields")?.split(",") ?? [];
  if (behaviour === "fails") {
    send(500, { customCode: "internal_error" });
    return;
  }
  if (behaviour === "empty_404" || chainId === "") {
    response.writeHead(404).end();
    return;
  }
  if (behaviour === "not_json") {
    response.end("<html>");
    return;
  }
  const about = aboutOf(behaviour, chainId, address);
  if (found === undefined) send(404, { ...about, match: null, creationMatch: null, runtimeMatch: null });
  else send(200, { ...about, ...bodyOf(found, fields), ...paddingOf(behaviour) });
}

const findContract = ({ contracts }: SourcifyStandIn, chainId: string, address: string) =>
  contracts.find((one) => one.chainId === chainId && one.address.toLowerCase() === address.toLowerCase());

const aboutOf = (behaviour: Behaviour, chainId: string, address: string): object => ({
  chainId: behaviour === "other_chain" ? "10" : chainId,
  address: behaviour === "other_address" ? otherAddress : address,
});

const bodyOf = ({ match, verifiedAt, fields }: VerifiedContract, wanted: readonly string[]): object => ({
  ...{ match, runtimeMatch: match, verifiedAt },
  ...Object.fromEntries(Object.entries(fields).filter(([name]) => wanted.includes(name))),
});

const paddingOf = (behaviour: Behaviour): object =>
  behaviour === "too_much" ? { padding: "x".repeat(3 * 1024 * 1024) } : {};
