// One trace as a tree of text, in the order of time.
import type { ReceivedSpan } from "../stand-ins/collector/stand-in.ts";

const byStart = (a: ReceivedSpan, b: ReceivedSpan): number => a.startMs - b.startMs;

const statusOf = ({ attributes, isFailed }: ReceivedSpan): string => {
  const status = attributes["http.response.status_code"];
  const decision = attributes["countersign.decision"];
  const type = isFailed ? attributes["error.type"] : undefined;
  return [status, decision, type === undefined ? undefined : `failed: ${type}`]
    .filter((part) => part !== undefined)
    .map((part) => `  ${part}`)
    .join("");
};

/** Returns the spans that have no parent among the others: one, if the trace is whole. */
export const rootsOf = (spans: readonly ReceivedSpan[]): readonly ReceivedSpan[] => {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  return spans.filter(({ parentId }) => parentId === undefined || !ids.has(parentId)).sort(byStart);
};

/** Renders a trace: when each span began after the first, how long it took, its service and its name. */
export function renderTrace(spans: readonly ReceivedSpan[]): string {
  const children = Map.groupBy([...spans].sort(byStart), ({ parentId }) => parentId);
  const origin = Math.min(...spans.map(({ startMs }) => startMs));
  const lines: string[] = [];
  const draw = (span: ReceivedSpan, indent: string, branch: string): void => {
    const began = `+${Math.round(span.startMs - origin)} ms`.padStart(10);
    const took = `${Math.round(span.durationMs)} ms`.padStart(9);
    const service = span.service.replace("countersign-", "").padEnd(9);
    lines.push(`${began} ${took}  ${service} ${indent}${branch}${span.name}${statusOf(span)}`.trimEnd());
    const below = children.get(span.spanId) ?? [];
    const deeper = branch === "" ? indent : `${indent}${branch === "└─ " ? "   " : "│  "}`;
    for (const [index, child] of below.entries())
      draw(child, deeper, index === below.length - 1 ? "└─ " : "├─ ");
  };
  for (const root of rootsOf(spans)) draw(root, "", "");
  return lines.join("\n");
}
