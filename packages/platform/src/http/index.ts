export {
  anyOf,
  credential,
  credentialOf,
  firstOf,
  open,
  type Authenticator,
  type AuthRule,
  type Caller,
  type Credentials,
} from "./auth.ts";
export { hangUpWhenDraining, hangUpWhenStopping } from "./hang-up.ts";
export { healthRoute } from "./health-route.ts";
export { makeHealth, type Health, type HealthCheck } from "./health.ts";
export { makeSharedLimiter } from "./limit-shared.ts";
export {
  defaultLimits,
  makeLocalLimiter,
  perCaller,
  perIp,
  perValue,
  unlimited,
  type Limiter,
} from "./limit.ts";
export { makeMetrics, type Metrics } from "./metrics.ts";
export { networkOf } from "./network-of.ts";
export { describeLimit, writeOpenApi } from "./openapi.ts";
export { operatorRoutes } from "./operator-routes.ts";
export { parseInput } from "./parse-input.ts";
export { requestIdFrom } from "./request-id.ts";
export { ok, route, statusesOf, type Route } from "./route.ts";
export { makeService, type ServiceOptions } from "./service.ts";
export { endSpan, prepareSpans, spanOf } from "./trace-requests.ts";
