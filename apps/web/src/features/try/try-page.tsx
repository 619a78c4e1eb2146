import { readReport, type ReadReport } from "@countersign/sdk/report";
import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useRef, useState, type JSX, type RefObject } from "react";
import { CopyButton } from "../../components/copy-button.tsx";
import { Loading } from "../../components/loading.tsx";
import { Notice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { api } from "../../lib/api.ts";
import { nothingEntered, readForm, type Entered, type Problems, type Trial } from "./read-form.ts";
import { enteredIn, fragmentOf } from "./share-link.ts";
import { TryForm } from "./try-form.tsx";
import { TryProblem } from "./try-problem.tsx";

/** Loaded in parallel with the check. */
const drawing = () => import("../../components/report/report-view.tsx");
const ReportView = lazy(async () => ({ default: (await drawing()).ReportView }));

type Judged = { readonly trial: Trial; readonly report: ReadReport | undefined };

/** Keeps the input with its result: the form may have changed since. */
async function judge(trial: Trial): Promise<Judged> {
  const asked = api.request<unknown>("/public/validate", {
    method: "POST",
    body: trial,
    // No retry: after a rate limit it would wait silently for the rest of the minute.
    isOneTime: true,
  });
  const [{ body }] = await Promise.all([asked, drawing()]);
  return { trial, report: readReport(body) };
}

function useTrial() {
  const [entered, setEntered] = useState<Entered>(() => enteredIn(location.hash) ?? nothingEntered);
  const [problems, setProblems] = useState<Problems>({});
  const asking = useMutation({ mutationFn: judge });
  const submit = (): boolean => {
    const read = readForm(entered);
    setProblems(read.problems ?? {});
    if (read.trial !== undefined) asking.mutate(read.trial);
    return read.trial !== undefined;
  };
  const change = (next: Entered): void => {
    setEntered(next);
    // Clears errors that are fixed; new ones appear on submit.
    const still = readForm(next).problems ?? {};
    setProblems((told) => Object.fromEntries(Object.entries(told).filter(([name]) => name in still)));
  };
  return { entered, problems, asking, submit, change };
}

export function TryPage(): JSX.Element {
  const { entered, problems, asking, submit, change } = useTrial();
  return (
    <Page
      title="Try a check"
      lead="Enter a request and a transaction. See whether one does the other. No account, nothing is signed or sent."
    >
      <Notice tone="none">
        What you enter is checked and not stored. Never enter a private key or recovery phrase.
      </Notice>
      <div className="flex flex-col gap-4 sm:gap-5 lg:grid lg:grid-cols-2 lg:items-start">
        <TryForm
          entered={entered}
          problems={problems}
          isBusy={asking.isPending}
          onChange={change}
          onSubmit={submit}
        />
        {/* On a phone the result comes first. */}
        <div className="min-w-0 space-y-4 max-lg:order-first">
          {asking.isPending ? <Loading what="the result" lines={4} /> : null}
          {asking.isError ? <TryProblem error={asking.error} /> : null}
          {asking.isSuccess ? (
            <>
              <Verdict judged={asking.data} entered={entered} />
              <ShareLink entered={entered} />
            </>
          ) : null}
        </div>
      </div>
    </Page>
  );
}

/** The link holds the form in its fragment, so nothing is stored. */
function ShareLink({ entered }: { readonly entered: Entered }): JSX.Element {
  const link = `${location.origin}/try${fragmentOf(entered)}`;
  return (
    <p className="flex items-center gap-1 text-sm text-soft">
      <CopyButton value={link} label="Copy a link to this check" />
      Copy a link to this check. It holds what you entered; nothing is stored.
    </p>
  );
}

/** Moves focus and view to the result once it is drawn: inside the boundary, effects run only then. */
function InView({ of }: { readonly of: RefObject<HTMLElement | null> }): null {
  useEffect(() => {
    of.current?.focus({ preventScroll: true });
    of.current?.scrollIntoView({ block: "start" });
  }, [of]);
  return null;
}

function Verdict({ judged, entered }: { readonly judged: Judged; readonly entered: Entered }): JSX.Element {
  const { trial, report } = judged;
  const ref = useRef<HTMLDivElement>(null);
  const isOfBefore = JSON.stringify(readForm(entered).trial) !== JSON.stringify(trial);
  return (
    <div ref={ref} tabIndex={-1} role="region" aria-label="Result" className="scroll-mt-4 space-y-4">
      {isOfBefore ? (
        <Notice tone="open" live="polite" title="This result is for your earlier input">
          You’ve changed the form since. Check again.
        </Notice>
      ) : null}
      <Suspense fallback={<Loading what="the result" lines={4} />}>
        <InView key={JSON.stringify(trial)} of={ref} />
        <ReportView report={report} words={trial.intent} tx={trial.tx} chainId={trial.chainId} />
      </Suspense>
    </div>
  );
}
