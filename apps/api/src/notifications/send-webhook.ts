import type { Clock } from "@countersign/platform/clock";
import type { PostMessage } from "../adapters/webhooks/index.ts";
import { bodyOf, messageIdOf } from "./message.ts";
import type { OpenKind } from "./send.ts";
import { signatureHeaders } from "./signing.ts";

type Parts = { readonly postMessage: PostMessage; readonly uiUrl: string; readonly clock: Clock };

const userAgent = "Countersign-Webhooks/1";

/** Posts messages to a URL, signed with the channel's secrets. */
export const makeOpenWebhook =
  ({ postMessage, uiUrl, clock }: Parts): OpenKind =>
  ({ target, secrets: keys }) =>
  async ([message]) => {
    const body = bodyOf(message, uiUrl);
    const signature = { id: messageIdOf(message.id), timestamp: clock.now(), body, keys };
    const headers = {
      "content-type": "application/json",
      "user-agent": userAgent,
      ...signatureHeaders(signature),
    };
    return postMessage(target, { headers, body });
  };
