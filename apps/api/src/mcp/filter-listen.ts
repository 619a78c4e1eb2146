import { z } from "zod";
import type { MayRead } from "./may-read.ts";
import type { Principal } from "./principal.ts";
import { requestHashIn } from "./resource-uri.ts";

/** More than an agent waits for at a time. The acknowledgement lists the accepted ones. */
const heardAtMost = 100;

const Listen = z.looseObject({
  method: z.literal("subscriptions/listen"),
  params: z.looseObject({
    notifications: z.looseObject({ resourceSubscriptions: z.array(z.string()).optional() }),
  }),
});

export const isListen = (body: unknown): boolean =>
  typeof body === "object" && body !== null && "method" in body && body.method === "subscriptions/listen";

const Loose = z.looseObject({ params: z.looseObject({}).catch({}) });

function withoutNotifications(body: unknown): unknown {
  const { params, ...rest } = Loose.parse(body);
  const { notifications: _, ...kept } = params;
  return { ...rest, params: kept };
}

/** Removes the URIs that the listener may not read, because the SDK notifies anyone who knows a URI. */
export const makeFilterListen =
  (mayRead: MayRead) =>
  async (body: unknown, principal: Principal): Promise<unknown> => {
    const { success, data } = Listen.safeParse(body);
    // The SDK then reports the missing list, and listens to nothing that was not checked here.
    if (!success) return withoutNotifications(body);
    const { notifications } = data.params;
    const readable: string[] = [];
    for (const uri of new Set(notifications.resourceSubscriptions?.slice(0, heardAtMost))) {
      const requestHash = requestHashIn(uri);
      if (requestHash !== undefined && (await mayRead(principal, requestHash))) readable.push(uri);
    }
    return {
      ...data,
      params: { ...data.params, notifications: { ...notifications, resourceSubscriptions: readable } },
    };
  };
