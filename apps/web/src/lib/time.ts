import { useEffect, useState } from "react";

/** The time, again every so often, while somebody looks. */
export function useNow(everyMs = 1000): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(new Date());
    }, everyMs);
    return () => {
      clearInterval(timer);
    };
  }, [everyMs]);
  return now;
}

/** This moment, for what is noted rather than shown. */
export const timeNow = (): Date => new Date();
