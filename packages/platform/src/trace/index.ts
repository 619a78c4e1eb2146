export { requestHashIn, type Attributes } from "./attributes.ts";
export { callOther, callService, traceTransport } from "./call.ts";
export { traceSettings } from "./settings.ts";
export {
  annotateSpan,
  currentTraceparent,
  inSpan,
  inTrace,
  inTraces,
  isRecording,
  openSpan,
  setRecorder,
  withSpan,
  type Span,
} from "./span.ts";
export { readTraceparent, writeTraceparent, type TraceContext } from "./traceparent.ts";
export { withTracing } from "./with-tracing.ts";
