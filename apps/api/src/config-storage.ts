// The setting for how data is stored. To be spread into the schema.
import { flag } from "@countersign/platform/config";

export const storageSettings = {
  COMPACT_STORAGE: flag()
    .prefault("false")
    .describe(
      "Whether new reports of the validator are compressed, and new encrypted payloads are stored apart from the rows that change. A proposal then writes half as much. Versions from before migration 0060 cannot read either: set it once every process is newer. What is stored already is read whatever it is.",
    ),
};
