/** Names the operator's settings and lists by a hash, so that a replay knows whether it has the same. */
import { hashReport } from "@countersign/wire";
import type { Config } from "../config.ts";
import { readListFiles } from "../lists/index.ts";

export type Settings = Pick<
  Config,
  "VALIDATOR_DATA_DIR" | "MAX_LIST_AGE_DAYS" | "REQUIRE_SANCTIONS" | "REQUIRE_STATE" | "MODEL_ID"
>;

/** Covers everything that can change a verdict except limits on time. The shipped tables are covered by the version of the engine. */
export const hashConfiguration = ({
  VALIDATOR_DATA_DIR = null,
  MAX_LIST_AGE_DAYS,
  REQUIRE_SANCTIONS,
  REQUIRE_STATE,
  MODEL_ID = null,
}: {
  readonly [Name in keyof Settings]: Settings[Name] | null;
}): string =>
  hashReport({
    ...{ MAX_LIST_AGE_DAYS, REQUIRE_SANCTIONS, REQUIRE_STATE, MODEL_ID },
    files: readListFiles(VALIDATOR_DATA_DIR),
  });
