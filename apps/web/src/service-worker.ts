// Shows push messages and opens their page. It answers no requests and caches nothing, so that a page is always the service's.
// Built as one file at the root of the site; see vite.config.ts.

/** TypeScript's types of service workers exclude those of pages. */
type Waits = { readonly waitUntil: (work: Promise<unknown>) => void };
type PushEvent = Event & Waits & { readonly data: { readonly text: () => string } | null };
type Shown = { readonly close: () => void; readonly data: unknown };
type ClickEvent = Event & Waits & { readonly notification: Shown };
type Window = { readonly url: string; readonly focus: () => Promise<unknown> };
type Scope = {
  readonly location: { readonly origin: string };
  readonly skipWaiting: () => Promise<void>;
  readonly registration: {
    readonly showNotification: (title: string, options: NotificationOptions) => Promise<void>;
  };
  readonly clients: {
    readonly matchAll: (options: object) => Promise<readonly Window[]>;
    readonly openWindow: (url: string) => Promise<unknown>;
  };
  readonly addEventListener: ((type: "install", listener: (event: Event & Waits) => void) => void) &
    ((type: "push", listener: (event: PushEvent) => void) => void) &
    ((type: "notificationclick", listener: (event: ClickEvent) => void) => void);
};

const scope = self as unknown as Scope;

const inbox = "/transactions";

type Message = { readonly id: string; readonly title: string; readonly body: string; readonly path: string };

const textOf = (value: unknown, otherwise: string): string =>
  typeof value === "string" && value !== "" ? value : otherwise;

/** Only the path counts, and only a transaction or the inbox: a message never leads to another site. */
function pathOf(url: unknown): string {
  try {
    const { pathname } = new URL(textOf(url, inbox), scope.location.origin);
    return /^\/transactions\/0x[0-9a-f]{64}$/.test(pathname) ? pathname : inbox;
  } catch {
    return inbox;
  }
}

/** A browser requires a notification for every message, so an unreadable one is shown without its content. */
function messageOf(text: string): Message {
  let read: Readonly<Record<string, unknown>> = {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null) read = parsed as typeof read;
  } catch {
    // Shown as a message without content.
  }
  return {
    id: textOf(read["id"], "countersign"),
    title: textOf(read["title"], "News from Countersign"),
    body: textOf(read["body"], "Open your inbox to see it."),
    path: pathOf(read["url"]),
  };
}

/** No buttons: a decision needs the page and the wallet. The tag replaces a message that comes twice. */
async function show({ id, title, body, path }: Message): Promise<void> {
  await scope.registration.showNotification(title, {
    ...{ body, tag: id, icon: "/icon-192.png", badge: "/icon-192.png", data: path },
  });
}

/** Focuses a window that shows the page. Never navigates one, in which a decision may be under way. */
async function open(path: string): Promise<void> {
  const windows = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find(({ url }) => new URL(url).pathname === path);
  await (shown === undefined ? scope.clients.openWindow(path) : shown.focus());
}

scope.addEventListener("install", (event) => {
  event.waitUntil(scope.skipWaiting());
});
scope.addEventListener("push", (event) => {
  event.waitUntil(show(messageOf(event.data?.text() ?? "")));
});
scope.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(pathOf(event.notification.data)));
});
