/** Everything the checks use, created once at the start. */
import type { Clock } from "@countersign/platform/clock";
import type { Log } from "@countersign/platform/log";
import type { AddressList, ContractData, Policy } from "../facts.ts";
import type { LoadedNode } from "../nodes/load-nodes.ts";
import type { Protocols } from "../protocols/load-protocols.ts";
import type { Registry } from "../registry.ts";
import type { Lexicon } from "../words/lexicon.ts";
import type { Semantic } from "./semantic.ts";

export type Engine = {
  readonly version: string;
  readonly catalogueVersion: string;
  readonly nodes: readonly LoadedNode[];
  readonly registry: Registry;
  readonly protocols: Protocols;
  readonly lexicon: Lexicon;
  readonly lists: {
    readonly sanctions: AddressList | null;
    readonly scams: AddressList | null;
    readonly blockedProtocols: AddressList | null;
  };
  readonly policy: Policy;
  readonly contractData: ContractData;
  readonly requireSanctions: boolean;
  readonly semantic: Semantic | null;
  readonly clock: Clock;
  readonly log: Log;
};
