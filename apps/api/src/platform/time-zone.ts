/** Whether the name is an IANA time zone such as Europe/Berlin. */
export const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en-GB", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
};
