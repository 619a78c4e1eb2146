import { defineErrors } from "@countersign/platform/errors";

/** What this server refuses by itself. The rest is the main service's word, passed on. */
export const webErrors = defineErrors("web", {
  foreignPage: { status: 403, message: "Only the pages of this web app may call this" },
  notCarried: { status: 404, message: "The web app does not carry this call" },
  notBuilt: { status: 503, message: "The pages are not built yet: npm run build -w apps/web" },
  apiUnavailable: { status: 502, message: "The main service did not answer" },
});
