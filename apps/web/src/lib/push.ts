// Push messages in this browser: its service worker, and its subscription at the push service.
import { serviceWorkerUrl } from "./service-worker-url.ts";

/** The members of a subscription that the service needs. */
export type Subscription = {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
};

export const canPush = (): boolean =>
  "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;

/** The owner blocked notifications, in the browser's dialog or settings. */
export class NotificationsBlockedError extends Error {
  override readonly name = "NotificationsBlockedError";
}

async function currentSubscription(): Promise<PushSubscription | null> {
  if (!canPush()) return null;
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Returns where this browser receives messages. Null: it is not subscribed. */
export const currentEndpoint = async (): Promise<string | null> =>
  (await currentSubscription())?.endpoint ?? null;

const base64Url = (bytes: ArrayBuffer | null): string =>
  btoa(String.fromCodePoint(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

function membersOf(subscription: PushSubscription): Subscription {
  const [p256dh, auth] = (["p256dh", "auth"] as const).map((name) => base64Url(subscription.getKey(name)));
  return { endpoint: subscription.endpoint, keys: { p256dh: p256dh ?? "", auth: auth ?? "" } };
}

/**
 * Asks for permission, then subscribes this browser with the service's key. Ends a subscription with another key, which the
 * service cannot use. Throws NotificationsBlockedError if the owner does not allow notifications.
 */
export async function subscribe(publicKey: string): Promise<Subscription> {
  if ((await Notification.requestPermission()) !== "granted") throw new NotificationsBlockedError();
  const registration = await navigator.serviceWorker.register(serviceWorkerUrl(), { scope: "/" });
  await navigator.serviceWorker.ready;
  const found = await registration.pushManager.getSubscription();
  if (found !== null && base64Url(found.options.applicationServerKey) === publicKey) return membersOf(found);
  await found?.unsubscribe();
  return membersOf(
    await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }),
  );
}

export async function unsubscribe(): Promise<void> {
  await (await currentSubscription())?.unsubscribe();
}
