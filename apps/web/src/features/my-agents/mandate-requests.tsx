import type { MandateRequest } from "@countersign/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { JSX } from "react";
import { buttonClass } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { mandateRequestsQuery, useAgentNames } from "../../lib/agents.ts";
import { actWords, limitWords } from "./mandate-words.ts";

function One({ request, name }: { readonly request: MandateRequest; readonly name: string }): JSX.Element {
  const [kind = "", id = ""] = request.agent.split(":");
  const { draft } = request;
  return (
    <Notice
      tone="waiting"
      title={
        <>
          <Text>{name}</Text> asks for a mandate
        </>
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1">
          To {actWords(draft)}, at most {draft.limits.map(limitWords).join(", ")}:{" "}
          <Text>{draft.purpose}</Text>
        </p>
        <Link
          to="/agents/$kind/$id/mandate"
          params={{ kind, id }}
          search={{ request: request.id }}
          className={buttonClass("plain")}
        >
          Review
        </Link>
      </div>
    </Notice>
  );
}

/** Mandates that agents ask for. With `only`, those of one agent. */
export function MandateRequests({ only }: { readonly only?: string }): JSX.Element | null {
  const { data } = useQuery(mandateRequestsQuery);
  const nameOf = useAgentNames();
  const shown = data?.filter(({ agent }) => only === undefined || agent === only) ?? [];
  if (shown.length === 0) return null;
  return (
    <div className="space-y-3">
      {shown.map((request) => (
        <One key={request.id} request={request} name={nameOf(request.agent)} />
      ))}
    </div>
  );
}
