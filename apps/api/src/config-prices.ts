// The settings for prices. To be spread into the schema.
import { list, wholeNumber } from "@countersign/platform/config";
import { readFeed } from "./prices/feed.ts";

export const priceSettings = {
  PRICE_FEEDS: list()
    .transform((texts, context) =>
      texts.flatMap((text) => {
        const feed = readFeed(text);
        if (feed === undefined)
          context.addIssue({
            code: "custom",
            message: "must each be <CAIP-19 asset>=<chain id>:<address>:<seconds>",
          });
        return feed ?? [];
      }),
    )
    .prefault("")
    .describe(
      "Price feeds (Chainlink's AggregatorV3Interface) for limits in dollars, as <CAIP-19 asset>=<chain id>:<address>:<seconds>, separated by commas. A price that the feed has not changed for so many seconds is not used. RPC_URLS must have a node for the chain. Without a price the owner is asked.",
    ),
  PRICES_EVERY_MS: wholeNumber()
    .min(100)
    .max(120_000)
    .default(30_000)
    .describe("How often price feeds are read. A price that was not read for five minutes is not used."),
};
