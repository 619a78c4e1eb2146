import { ok, open, perIp, route, type Route } from "@countersign/platform/http";
import { formatUnits } from "viem/utils";
import { z } from "zod";
import { usdPlaces } from "./price.ts";
import type { PriceStore } from "./store.ts";

type Parts = { readonly store: Pick<PriceStore, "list">; readonly readsPerMinute: number };

const PriceView = z
  .object({
    asset: z.string().meta({
      description: "CAIP-19, with `native` for the chain's own coin: eip155:1/native or eip155:1/erc20:0x….",
    }),
    usd: z.string().meta({ description: "Dollars for a whole unit, as a decimal number." }),
    source: z.string().meta({ description: "The price feed, as a CAIP-10 id." }),
    asOf: z.iso.datetime().meta({ description: "When the feed last changed it." }),
    readAt: z.iso.datetime().meta({ description: "When the feed was last read." }),
    usable: z.boolean().meta({
      description: "False if it is too old. Limits in dollars then ask the owner about this asset.",
    }),
  })
  .meta({ id: "Price", description: "A price that limits in dollars are counted with." });

export const priceRoutes = ({ store, readsPerMinute }: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/prices",
    summary: "List prices",
    description:
      "Of the assets that the operator configured a price feed for. A mandate's limit in dollars asks the owner about any other asset.",
    tag: "Mandates",
    auth: open,
    limit: [perIp(readsPerMinute)],
    replies: { 200: z.array(PriceView) },
    refuses: [],
    handle: async () => {
      const prices = await store.list();
      return ok(
        prices.map(({ asset, usd, source, asOf, readAt, isUsable }) => ({
          ...{ asset, usd: formatUnits(usd, usdPlaces), source, usable: isUsable },
          ...{ asOf: asOf.toISOString(), readAt: readAt.toISOString() },
        })),
      );
    },
  }),
];
