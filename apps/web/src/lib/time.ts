import { useEffect, useState } from "react";

/** Returns the current time and rerenders periodically. */
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

/** Returns the current time for records that are not displayed. */
export const timeNow = (): Date => new Date();
