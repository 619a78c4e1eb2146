import { defineErrors } from "@countersign/platform/errors";

export const eventErrors = defineErrors("events", {
  badCursor: { status: 400, message: "Last-Event-ID must be the id of an event of this stream" },
  tooManyStreams: { status: 429, message: "This account has too many open event streams. Close one first." },
  noAccount: { status: 403, message: "A server key has no account and no events" },
});
