// The part of the settings for programs that owners let in: OAuth, and MCP behind it. To be spread into the schema.
import { z } from "zod";
import { flag, list, wholeNumber } from "@countersign/platform/config";

export const oauthSettings = {
  OAUTH_REGISTRATIONS_PER_MINUTE_PER_IP: wholeNumber()
    .min(1)
    .default(300)
    .describe(
      "Most OAuth clients that one address of the network registers in a minute. Hosted assistants share few addresses.",
    ),
  CLIENT_DOCUMENTS: flag()
    .prefault("false")
    .describe(
      "Whether OAuth clients may be named by the address of their metadata document. Needs an https BASE_URL and a way out to the internet: clients that see it offered use nothing else.",
    ),
  MCP_ORIGINS: list()
    .refine(
      (origins) => origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
      "must each be an origin, such as https://assistant.example",
    )
    .prefault("https://claude.ai,https://chatgpt.com")
    .describe(
      "Origins of further web pages that may speak MCP with us, separated by commas. Our own, the web app's and those on the user's machine always may.",
    ),
  MCP_REQUESTS_PER_MINUTE_PER_IP: wholeNumber()
    .min(1)
    .default(6000)
    .describe(
      "Most MCP requests of one kind by one address of the network in a minute. Hosted assistants share few addresses.",
    ),
  MCP_CHECK_EVERY_MS: wholeNumber()
    .min(50)
    .default(5000)
    .describe("How often open MCP streams are held against the record: whether they may still be open."),
  OAUTH_REFRESH_REUSE: z
    .enum(["reject", "replay"])
    .default("reject")
    .describe(
      "What a client gets that shows an OAuth refresh token again within the grace: a refusal (reject) or one more pair of tokens (replay).",
    ),
  OAUTH_REFRESH_GRACE_SECONDS: wholeNumber()
    .min(0)
    .default(60)
    .describe(
      "How long a used OAuth refresh token may come again, as from clients that race with themselves. After that its grant ends.",
    ),
  OAUTH_BROWSER_BINDING: z
    .enum(["warn", "enforce"])
    .default("warn")
    .describe(
      "What is done when a request for access is answered in another browser than it began in: noted in the log (warn) or refused (enforce). The latter needs the web app at the origin of BASE_URL.",
    ),
};
