import type { MandateDraft, MandatePreview as Preview } from "@countersign/sdk";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState, type JSX } from "react";
import { Badge, type Tone } from "../../components/badge.tsx";
import { Card } from "../../components/card.tsx";
import { Loading } from "../../components/loading.tsx";
import { Meter } from "../../components/meter.tsx";
import { ProblemNotice } from "../../components/notice.tsx";
import { Said } from "../../components/report/said.tsx";
import { Text } from "../../components/text.tsx";
import { api } from "../../lib/api.ts";
import { counted } from "../../lib/format.ts";
import { peakOf } from "./mandate-words.ts";
import { PreviewChart } from "./preview-chart.tsx";
import {
  changedOf,
  examplesOf,
  outcomes,
  previewDays,
  summaryOf,
  sumsOf,
  type Outcome,
} from "./preview-data.ts";

const words: Readonly<Record<Outcome, { readonly word: string; readonly tone: Tone; readonly dot: string }>> =
  {
    allowed: { word: "Approved", tone: "good", dot: "bg-good" },
    asked: { word: "Asked you", tone: "waiting", dot: "bg-accent" },
    denied: { word: "Blocked", tone: "bad", dot: "bg-bad" },
  };

/** Returns the value once it has not changed for a while. */
function useSettled<T>(value: T, delayMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(value);
    }, delayMs);
    return () => {
      clearTimeout(timer);
    };
  }, [value, delayMs]);
  return settled;
}

type Asked = {
  /** Undefined while the form has problems. */
  readonly draft: MandateDraft | undefined;
  /** The mandate that it replaces. */
  readonly against: string | undefined;
};

/** The purpose decides nothing, so the answer is the same for all. */
const textOf = (draft: MandateDraft | undefined): string =>
  draft === undefined ? "" : JSON.stringify({ ...draft, purpose: "Preview" });

function usePreview({ draft, against }: Asked) {
  const text = textOf(draft);
  const wanted = useSettled(text, 400);
  const query = useQuery({
    queryKey: ["mandate-preview", wanted, against],
    queryFn: ({ signal }) =>
      api.mandates.preview(JSON.parse(wanted) as MandateDraft, {
        days: previewDays,
        ...(against === undefined ? {} : { against }),
        signal,
      }),
    enabled: wanted !== "",
    // The bars do not flicker while the owner types.
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  return { ...query, isOld: text !== wanted || query.isPlaceholderData };
}

function Tile({ preview, outcome }: { readonly preview: Preview; readonly outcome: Outcome }): JSX.Element {
  const { word, dot } = words[outcome];
  return (
    <div className="min-w-0">
      <dt className="flex items-center gap-1.5 text-xs text-soft">
        <span aria-hidden className={`size-2.5 rounded-sm ${dot}`} />
        {word}
      </dt>
      <dd className="text-xl font-bold tabular-nums">{preview.counts[outcome]}</dd>
      {sumsOf(preview, outcome).map((sum) => (
        <dd key={sum} className="text-xs break-words text-soft tabular-nums">
          {sum}
        </dd>
      ))}
    </div>
  );
}

/** The highest use of each limit. */
function Peaks({ preview }: { readonly preview: Preview }): JSX.Element {
  return (
    <div className="space-y-3">
      <h3 className="text-sm font-semibold">Highest use of each limit</h3>
      {preview.limits.map(peakOf).map(({ label, text, share, isReached }) => (
        <div key={label} className="space-y-1 text-sm">
          <p className="flex justify-between gap-3">
            <span className="text-soft">{label}</span>
            <span className="text-right font-semibold tabular-nums">{text}</span>
          </p>
          <Meter
            label={`${label}: ${text}`}
            parts={[{ share, className: isReached ? "fill-open" : "fill-accent" }]}
          />
        </div>
      ))}
    </div>
  );
}

function Examples({ preview }: { readonly preview: Preview }): JSX.Element {
  return (
    <div>
      <h3 className="text-sm font-semibold">Examples</h3>
      <ul className="divide-y divide-line">
        {examplesOf(preview).map(({ requestHash, description, reason, outcome }) => (
          <li key={requestHash} className="space-y-1 py-2">
            <Link
              to="/transactions/$requestHash"
              params={{ requestHash }}
              className="line-clamp-2 text-sm font-semibold break-words underline-offset-4 hover:underline"
            >
              <Said brief>{description}</Said>
            </Link>
            <p className="flex items-start gap-2 text-xs text-soft">
              <Badge tone={words[outcome].tone} className="shrink-0">
                {words[outcome].word}
              </Badge>
              {reason === null ? null : (
                <Text className="min-w-0 self-center break-words">{reason.message}</Text>
              )}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The counts of the present mandate, and how many transactions would have another outcome. */
function Compared({ preview }: { readonly preview: Preview }): JSX.Element | null {
  const { before } = preview;
  if (before === null) return null;
  const changed = changedOf(preview);
  return (
    <p className="text-sm text-soft">
      The present mandate: {before.allowed} approved, {before.asked} asked you.{" "}
      {changed === 0 ? "Nothing changes." : `${counted(changed, "outcome")} would change.`}
    </p>
  );
}

function Shown({ preview }: { readonly preview: Preview }): JSX.Element {
  const { transactions, counts, complete } = preview;
  if (transactions === 0)
    return (
      <p className="text-sm text-soft">
        This agent had no matching proposals in the last {previewDays} days, so there’s nothing to compare
        with.
      </p>
    );
  const shown = outcomes.filter((outcome) => outcome !== "denied" || counts.denied > 0);
  return (
    <div className="space-y-4">
      <p className="text-sm text-soft">
        Of {complete ? "" : "the newest "}
        {counted(transactions, "matching proposal")}, this mandate would have:
      </p>
      <dl className="grid auto-cols-fr grid-flow-col gap-3">
        {shown.map((outcome) => (
          <Tile key={outcome} preview={preview} outcome={outcome} />
        ))}
      </dl>
      <PreviewChart decisions={preview.decisions} />
      <Compared preview={preview} />
      <Peaks preview={preview} />
      <Examples preview={preview} />
      <p className="text-xs text-soft">Repeats, pauses and your policy count as they did then.</p>
    </div>
  );
}

function Content(asked: Asked): JSX.Element {
  const { data, error, isOld } = usePreview(asked);
  if (asked.draft === undefined)
    return (
      <p className="text-sm text-soft">
        Enter a limit and whom it may pay. Then you see what it would have approved, and what you would have
        been asked about.
      </p>
    );
  if (error !== null) return <ProblemNotice title="Couldn’t load the preview" error={error} />;
  if (data === undefined) return <Loading what="the preview" lines={4} />;
  return (
    <div aria-busy={isOld} className={isOld ? "opacity-60" : undefined}>
      <Shown preview={data} />
    </div>
  );
}

/** Shows the outcomes of the agent's past transactions under a draft. */
export function MandatePreview(asked: Asked): JSX.Element {
  return (
    <Card title={`The last ${previewDays} days with this mandate`}>
      <Content {...asked} />
    </Card>
  );
}

/** The same in a sentence, for the review. */
export function PreviewSummary(asked: Asked): JSX.Element | null {
  const { data } = usePreview(asked);
  return data === undefined ? null : <p className="text-sm">{summaryOf(data)}</p>;
}
