import { defineErrors } from "@countersign/platform/errors";

export const agentErrors = defineErrors("agents", {
  notFound: { status: 404, message: "Agent not found" },
});
