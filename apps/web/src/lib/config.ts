import { queryOptions } from "@tanstack/react-query";

/** The public URL of the main service, shown to developers and used as audience of signed requests. */
export const configQuery = queryOptions({
  queryKey: ["config"],
  networkMode: "always",
  staleTime: Infinity,
  queryFn: async ({ signal }): Promise<{ readonly apiUrl: string }> => {
    const answer = await fetch("/config.json", { signal });
    const config: unknown = answer.ok ? await answer.json() : undefined;
    if (
      typeof config === "object" &&
      config !== null &&
      "apiUrl" in config &&
      typeof config.apiUrl === "string"
    )
      return { apiUrl: config.apiUrl };
    throw new Error("We couldn’t find the service’s address.");
  },
});
