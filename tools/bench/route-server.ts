// The same answer through our route object: limits, request id, headers, validation on the way out, metrics, log line.
import { z } from "zod";
import { restSurface } from "@countersign/platform/errors";
import { makeMetrics, makeService, ok, open, perIp, route } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";

const service = await makeService({
  title: "Bench",
  description: "One route.",
  version: "1.0",
  baseUrl: "http://127.0.0.1",
  surface: restSurface,
  log: makeLog({ app: "bench", level: "info" }),
  metrics: makeMetrics("bench"),
  routes: [
    route({
      method: "GET",
      path: "/",
      summary: "Bench",
      tag: "Bench",
      auth: open,
      limit: [perIp(1_000_000_000)],
      replies: { 200: z.object({ name: z.string(), version: z.string(), status: z.string() }) },
      handle: () => ok({ name: "bench", version: "1.0", status: "ok" }),
    }),
  ],
});
await service.listen({ host: "127.0.0.1", port: Number(process.argv[2]) });
