/** The time zone of this browser, in the names of the IANA database. */
export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** All time zones that this browser knows, and the given one. */
export const timeZonesWith = (chosen: string): readonly string[] => {
  const known = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
  return known.includes(chosen) ? known : [chosen, ...known];
};
