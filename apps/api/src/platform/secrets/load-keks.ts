import { resolve } from "node:path";
import type { Log } from "@countersign/platform/log";
import { loadKeks as loadKeksOf, type Keks, type KekSettings } from "@countersign/platform/secrets";

const appRoot = resolve(import.meta.dirname, "../../..");

/** Loads this service's keys. A relative path is relative to its own folder. */
export const loadKeks = (settings: KekSettings, log: Log): Promise<Keks> =>
  loadKeksOf(settings, { appRoot, log });
