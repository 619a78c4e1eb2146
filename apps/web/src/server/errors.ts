import { defineErrors } from "@countersign/platform/errors";

/** Errors of this server. All others are the main service's, passed on. */
export const webErrors = defineErrors("web", {
  foreignPage: { status: 403, message: "Only this web app can call this address" },
  unsigned: { status: 403, message: "This change needs a signature of your wallet" },
  notCarried: { status: 404, message: "This call isn’t available through the web app" },
  notBuilt: { status: 503, message: "The web app isn’t built yet. Run: npm run build -w apps/web" },
  apiUnavailable: { status: 502, message: "The main service didn’t answer" },
});
