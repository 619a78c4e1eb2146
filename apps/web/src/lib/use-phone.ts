import { useSyncExternalStore } from "react";

/** Below this width the pages use their phone layout, as in the styles. */
const query = "(width < 40rem)";

const subscribe = (listener: () => void): (() => void) => {
  const media = matchMedia(query);
  media.addEventListener("change", listener);
  return () => {
    media.removeEventListener("change", listener);
  };
};

export const usePhone = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(query).matches);
