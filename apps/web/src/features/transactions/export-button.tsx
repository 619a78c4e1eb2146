import { useMutation, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import type { JSX } from "react";
import { Button } from "../../components/button.tsx";
import { ProblemNotice } from "../../components/notice.tsx";
import { useAgentNames } from "../../lib/agents.ts";
import { download } from "../../lib/download.ts";
import { sessionQuery } from "../../lib/session.ts";
import { readAll } from "../../lib/transactions.ts";
import { exportRow, toCsv, toJson } from "./export-rows.ts";

const formats = {
  CSV: { write: toCsv, type: "text/csv", name: "countersign.csv" },
  JSON: { write: toJson, type: "application/json", name: "countersign.json" },
} as const;

/** Downloads all proposals of the account, not only those on the page. */
export function ExportButtons(): JSX.Element {
  const account = useQuery(sessionQuery).data?.address ?? "";
  const nameOf = useAgentNames();
  const save = useMutation({
    mutationFn: async (format: keyof typeof formats) => {
      const { write, type, name } = formats[format];
      const rows = (await readAll(account)).map((transaction) => exportRow(transaction, nameOf));
      download(write(rows), type, name);
    },
  });
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap gap-2">
        {(["CSV", "JSON"] as const).map((format) => (
          <Button
            key={format}
            isBusy={save.isPending}
            onClick={() => {
              save.mutate(format);
            }}
          >
            <Download aria-hidden className="size-4" />
            Export {format}
          </Button>
        ))}
      </div>
      {save.error === null ? null : <ProblemNotice title="Couldn’t export" error={save.error} />}
    </div>
  );
}
