// Sends orion hints that there are proposals to check. Orion also finds proposals on its own, so a hint may be lost.
import { callService } from "@countersign/platform/trace";
import type { Nudges, RootNudge } from "@countersign/wire/nudge";

export type Orion = {
  /** Rejects if the hint was not accepted. */
  readonly nudge: (nudge: Nudges | RootNudge) => Promise<void>;
};

type Options = { readonly url: string; readonly token: string; readonly timeoutMs?: number };

export function makeOrion({ url, token, timeoutMs = 3_000 }: Options): Orion {
  return {
    nudge: async (nudge) => {
      // A library's error may contain the URL, and a step's error reaches the engine's log.
      const route = { to: "orion", method: "POST", path: "/nudges" };
      const response = await callService(route, (trace) =>
        fetch(`${url.replace(/\/+$/, "")}/nudges`, {
          method: "POST",
          headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...trace },
          body: JSON.stringify(nudge),
          redirect: "error",
          signal: AbortSignal.timeout(timeoutMs),
        }),
      ).catch(() => {
        throw new Error("orion could not be reached");
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`orion answered ${response.status} to a nudge`);
    },
  };
}
