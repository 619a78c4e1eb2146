// Members of requests that webhooks and other channels share.
import { z } from "zod";
import { transactionTypes } from "./catalogue.ts";
import { MessageTypeChoice } from "./views.ts";

export const Description = z
  .string()
  .max(200)
  .regex(/^[^\p{Cc}\p{Cf}]*$/u, "must have visible characters only");
export const Events = z
  .array(MessageTypeChoice)
  .max(transactionTypes.length)
  .meta({ description: "The types of messages to receive. Empty: all." });
export const Agents = z
  .array(z.string().regex(/^(?:key|oauth):[0-9a-f-]{36}$/, "must be key:<id> or oauth:<id>"))
  .max(100)
  .meta({ description: "Only messages about transactions of these agents. Empty: all." });

export const DeliveryQuery = z.object({
  status: z.enum(["pending", "delivered", "failed"]).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z
    .string()
    .regex(/^\d{1,18}$/, "must be the next of an earlier answer")
    .optional(),
});
