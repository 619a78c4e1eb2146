// A process with EDR. Native code runs in threads that a worker thread cannot end, so it has a process of its own, without keys,
// environment or network use, that can be ended at any time.
import type { EngineResult } from "@countersign/evm";
import { serveJobs } from "@countersign/platform/pool";
import { startEdr, type EdrScene } from "./edr.ts";

export type EdrReply = EngineResult | { readonly kind: "failed"; readonly why: string };

const { execute } = await startEdr();

serveJobs<EdrScene, EdrReply, null>({
  about: null,
  handle: async (scene) => {
    try {
      return await execute(scene);
    } catch (error) {
      return { kind: "failed", why: error instanceof Error ? error.message : "it failed" };
    }
  },
});
