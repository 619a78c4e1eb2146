import { defineErrors } from "@countersign/platform/errors";

export const webhookErrors = defineErrors("webhooks", {
  urlNotAllowed: {
    status: 400,
    message: "url must be https, name a public host, and contain no user, password or fragment",
  },
  notFound: { status: 404, message: "Webhook not found" },
  deliveryNotFound: { status: 404, message: "Delivery not found" },
  tooMany: { status: 409, message: "The account has 10 webhooks. Delete one first." },
  notActive: { status: 409, message: "The webhook is not active. Activate it first." },
});

export const channelErrors = defineErrors("channels", {
  addressNotAllowed: {
    status: 400,
    message:
      "url must be an incoming webhook of the chosen service: https://hooks.slack.com/services/… or https://discord.com/api/webhooks/…",
  },
  subscriptionNotAllowed: {
    status: 400,
    message: "subscription must have an https endpoint on a public host, and valid keys",
  },
  wrongCode: { status: 400, message: "The code is not the one that was sent" },
  notFound: { status: 404, message: "Channel not found" },
  deliveryNotFound: { status: 404, message: "Delivery not found" },
  tooMany: { status: 409, message: "The account has 20 channels. Delete one first." },
  notActive: { status: 409, message: "The channel is not active. Activate it first." },
  notConfirmed: { status: 409, message: "The address is not confirmed. Send a code to it first." },
  alreadyConfirmed: { status: 409, message: "The address is confirmed already" },
  codeExpired: { status: 409, message: "The code is no longer valid. Ask for another one." },
  tooManyCodes: {
    status: 409,
    message: "A code was sent to this address already. Wait before you ask again.",
  },
  mailUnavailable: { status: 503, message: "E-mail is not configured on this service. Choose another kind." },
  pushUnavailable: { status: 503, message: "Push is not configured on this service. Choose another kind." },
  mailFailed: { status: 503, message: "The mail server did not accept the message. Try again later." },
});

/** The errors of operations that webhooks and other channels share. */
export type SharedErrors = Pick<
  typeof webhookErrors,
  keyof typeof webhookErrors & keyof typeof channelErrors
>;
