// The settings for OAuth and MCP. To be spread into the schema.
import { z } from "zod";
import { flag, list, wholeNumber } from "@countersign/platform/config";

export const oauthSettings = {
  OAUTH_REGISTRATIONS_PER_MINUTE_PER_IP: wholeNumber()
    .min(1)
    .default(300)
    .describe(
      "OAuth client registrations per minute from one IP address. Hosted assistants share few addresses.",
    ),
  CLIENT_DOCUMENTS: flag()
    .prefault("false")
    .describe(
      "Whether OAuth clients may be identified by the URL of their metadata document. Needs an https BASE_URL and outgoing internet access: clients that see this offered use nothing else.",
    ),
  MCP_ORIGINS: list()
    .refine(
      (origins) => origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
      "must each be an origin, such as https://assistant.example",
    )
    .prefault("https://claude.ai,https://chatgpt.com")
    .describe(
      "Origins of additional web pages that may call MCP, separated by commas. Our own, the web app's and those on the user's machine are always allowed.",
    ),
  MCP_REQUESTS_PER_MINUTE_PER_IP: wholeNumber()
    .min(1)
    .default(6000)
    .describe(
      "MCP requests of one kind per minute from one IP address. Hosted assistants share few addresses.",
    ),
  MCP_CHECK_EVERY_MS: wholeNumber()
    .min(50)
    .default(5000)
    .describe("How often open MCP streams are checked for whether they may stay open."),
  OAUTH_REFRESH_REUSE: z
    .enum(["reject", "replay"])
    .default("reject")
    .describe(
      "Answer to an OAuth refresh token that is presented again within the grace period: an error (reject) or one more pair of tokens (replay).",
    ),
  OAUTH_REFRESH_GRACE_SECONDS: wholeNumber()
    .min(0)
    .default(60)
    .describe(
      "How long a used OAuth refresh token may be presented again, as by clients that race with themselves. After that its grant ends.",
    ),
  OAUTH_BROWSER_BINDING: z
    .enum(["warn", "enforce"])
    .default("warn")
    .describe(
      "What to do when a request for access is answered in another browser than it was started in: log it (warn) or reject it (enforce). The latter needs the web app at the origin of BASE_URL.",
    ),
};
