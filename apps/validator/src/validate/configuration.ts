/** Names the operator's settings and lists by a hash, so that a replay knows whether it has the same. */
import { hashReport } from "@countersign/wire";
import type { Config } from "../config.ts";
import type { Snapshot } from "../lists/index.ts";

type Settings = Pick<
  Config,
  "MAX_LIST_AGE_DAYS" | "REQUIRE_SANCTIONS" | "REQUIRE_STATE" | "REQUIRE_SECOND_ENGINE" | "MODEL_ID"
>;

type Given = { readonly [Name in keyof Settings]: Settings[Name] | null };

/** Covers everything that can change a verdict except limits on time, and proposed readings, which the inputs record. The shipped tables are covered by the version of the engine. */
export const hashConfiguration = (
  { MAX_LIST_AGE_DAYS, REQUIRE_SANCTIONS, REQUIRE_STATE, REQUIRE_SECOND_ENGINE, MODEL_ID = null }: Given,
  { files }: Pick<Snapshot, "files">,
): string =>
  hashReport({ MAX_LIST_AGE_DAYS, REQUIRE_SANCTIONS, REQUIRE_STATE, REQUIRE_SECOND_ENGINE, MODEL_ID, files });
