/** Loads everything the checks use: tables, lists, protocols, checks. */
import type { Clock } from "@countersign/platform/clock";
import type { Log } from "@countersign/platform/log";
import type { Config } from "../config.ts";
import { openSnapshot, readListKey, readSnapshot } from "../lists/index.ts";
import { loadNodes } from "../nodes/load-nodes.ts";
import { loadProtocols, type Protocols } from "../protocols/load-protocols.ts";
import { loadRegistry } from "../registry/index.ts";
import { makeTables } from "../words/language.ts";
import type { Lexicon } from "../words/lexicon.ts";
import type { Engine } from "./engine.ts";

type Parts = {
  readonly config: Pick<Config, "VALIDATOR_DATA_DIR" | "MAX_LIST_AGE_DAYS" | "REQUIRE_SANCTIONS"> &
    Partial<Pick<Config, "LIST_KEYS">>;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
};

/** Throws an error that names a missing file, because an incomplete engine must not decide. */
export async function loadEngine({ config, version, clock, log }: Parts): Promise<Engine> {
  const { nodes, version: catalogueVersion } = await loadNodes();
  const registry = loadRegistry();
  const protocols = await loadProtocols();
  // A clock, because a list ages while the service runs.
  const seconds = (): bigint => BigInt(Math.floor(clock.now().getTime() / 1000));
  const keys = (config.LIST_KEYS ?? []).flatMap((key) => readListKey(key) ?? []);
  const snapshot = readSnapshot(config.VALIDATOR_DATA_DIR ?? null, { now: seconds(), keys });
  const { policy, contractData, ...lists } = openSnapshot(snapshot, seconds, config.MAX_LIST_AGE_DAYS);
  const lexicon = lexiconOf(registry, protocols);
  // Built here, so that the first request in each language does not wait for it.
  makeTables(lexicon);
  return {
    version,
    catalogueVersion,
    nodes,
    registry,
    protocols,
    lexicon,
    lists,
    policy,
    contractData,
    requireSanctions: config.REQUIRE_SANCTIONS,
    semantic: null,
    clock,
    log,
  };
}

const lexiconOf = (registry: ReturnType<typeof loadRegistry>, protocols: Protocols): Lexicon => ({
  isSymbol: registry.isSymbol,
  isEnglish: registry.isEnglish,
  chainNamed: registry.chainNamed,
  chainPhrases: registry.chainPhrases,
  venueNamed: protocols.venueNamed,
  venuePhrases: protocols.venuePhrases,
  collectionPhrases: registry.collectionPhrases,
  isCommon: registry.isCommon,
});
