import type { Settings } from "@countersign/sdk";
import { queryOptions } from "@tanstack/react-query";
import { api } from "./api.ts";

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => api.settings({ signal }),
});

/** With any other type, proposals that match are approved without the owner. */
export const isAutomatic = ({ executionType }: Pick<Settings, "executionType">): boolean =>
  executionType !== 1;
