/** Returns typed data in the form that `eth_signTypedData_v4` accepts: numbers that exceed a double are text. */
export const typedDataJson = (value: object): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? member.toString() : member)),
  ) as Record<string, unknown>;
