import type { Log } from "../log/log.ts";
import type { Running } from "../process.ts";
import type { TraceConfig } from "./settings.ts";
import { setRecorder } from "./span.ts";

type Parts = {
  /** The app's name, for traces. */
  readonly app: string;
  readonly log: Log;
};

/** Starts an app, and records its spans if a collector is configured. The spans of its last requests are sent at the end. */
export async function withTracing(
  config: TraceConfig,
  { app, log }: Parts,
  start: () => Promise<Running>,
): Promise<Running> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config;
  if (endpoint === undefined) return start();
  // Loaded only here: it takes time and memory that a process without a collector does not need.
  const { startExport } = await import("./export.ts");
  const { record, close } = startExport({
    endpoint,
    serviceName: config.OTEL_SERVICE_NAME ?? `countersign-${app}`,
    sampler: config.OTEL_TRACES_SAMPLER,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    everyMs: config.OTEL_BSP_SCHEDULE_DELAY,
    log,
  });
  setRecorder(record);
  const running = await start();
  return {
    ...running,
    close: async () => {
      await running.close();
      setRecorder(undefined);
      await close();
    },
  };
}
