import { defineErrors } from "@countersign/platform/errors";

export const eventErrors = defineErrors("events", {
  badCursor: { status: 400, message: "Last-Event-ID must be the id of an event of this stream" },
  noAccount: { status: 403, message: "A server key belongs to no account and has no events" },
});
