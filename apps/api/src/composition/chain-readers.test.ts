import { describe, expect, test } from "vitest";
import { loadConfig } from "@countersign/platform/config";
import { makeMetrics } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import { Config } from "../config.ts";
import { makeChainReaders } from "./chain-readers.ts";

const log = makeLog({ app: "test", level: "silent" });
const readersFor = (settings: Record<string, string>) =>
  makeChainReaders({ config: loadConfig(Config, settings), metrics: makeMetrics("test"), log });

describe("the readers of chains", () => {
  test("exist for each chain with nodes", () => {
    const readers = readersFor({ RPC_URLS: "1=http://a,1=http://b,10=http://c,10=http://d", MIN_NODES: "2" });
    expect([...readers.keys()]).toEqual([1, 10]);
  });

  test("are not made for a chain that has fewer nodes than must agree", () => {
    const RPC_URLS = "1=http://a,1=http://b,10=http://secret";
    expect(() => readersFor({ RPC_URLS, MIN_NODES: "2" })).toThrow(
      "MIN_NODES is 2, and RPC_URLS has fewer nodes for chain 10: 1",
    );
    expect([...readersFor({ RPC_URLS }).keys()]).toEqual([1, 10]);
  });
});
