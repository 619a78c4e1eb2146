// Composition of retention: deletes data whose time is up.
import type { Clock } from "@countersign/platform/clock";
import type { Config } from "../config.ts";
import type { Db } from "../platform/db/connect.ts";
import { makeRetentionStore, makeRetentionSweep } from "../retention/index.ts";

type Parts = { readonly config: Config; readonly db: Db; readonly clock: Clock };

export const makeRetention = ({ config, db, clock }: Parts): (() => Promise<number>) =>
  makeRetentionSweep({ days: config, store: makeRetentionStore(db), clock });
