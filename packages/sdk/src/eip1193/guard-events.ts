// Events of a wallet pass through a guard, without a way from a listener to the wallet.
import type { BareProvider } from "./bare-provider.ts";

type Listener = (...args: readonly unknown[]) => void;
type Subscribe = (event: string, listener: Listener) => unknown;

/** Returns `on` and `removeListener`. Both return the guarded provider: an emitter returns itself, which is the wallet. */
export function guardEvents(
  provider: BareProvider,
  guarded: object,
): { readonly on: Subscribe; readonly removeListener: Subscribe } {
  const listeners = new WeakMap<Listener, Listener>();
  const change =
    (name: "on" | "removeListener"): Subscribe =>
    (event, listener) => {
      const method = provider[name];
      if (typeof method === "function") Reflect.apply(method, provider, [event, wrap(listeners, listener)]);
      return guarded;
    };
  return { on: change("on"), removeListener: change("removeListener") };
}

/** An emitter calls a listener with itself as `this`. The same listener always gets the same wrapper. */
function wrap(listeners: WeakMap<Listener, Listener>, listener: Listener): Listener {
  const known = listeners.get(listener);
  if (known !== undefined) return known;
  const wrapped: Listener = (...args) => {
    Reflect.apply(listener, undefined, args);
  };
  listeners.set(listener, wrapped);
  return wrapped;
}
