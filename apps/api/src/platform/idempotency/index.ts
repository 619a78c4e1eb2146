export { idempotencyRefusals, principalOf, readIdempotencyKey } from "./idempotency-key.ts";
export { makeIdempotency, type Idempotency, type IdempotentRequest } from "./idempotently.ts";
export { makeIdempotencyStore, type Within } from "./store.ts";
