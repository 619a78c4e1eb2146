export { readPriceFeed, type FeedPrice } from "./read-price-feed.ts";
