import { useEffect, type JSX, type ReactNode } from "react";
import { usePendingCount } from "../lib/pending-count.ts";

type Props = {
  readonly title: string;
  /** The heading, if it is more than the plain title. */
  readonly shown?: ReactNode;
  readonly lead?: ReactNode;
  readonly aside?: ReactNode;
  readonly children?: ReactNode;
};

/** A page with one h1, which is also the document title. */
export function Page({ title, shown, lead, aside, children }: Props): JSX.Element {
  const pending = usePendingCount();
  useEffect(() => {
    document.title = `${pending === 0 ? "" : `(${pending}) `}${title} · Countersign`;
  }, [title, pending]);
  return (
    <div className="space-y-4 sm:space-y-5">
      <header className="flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0">
          <h1 className="text-2xl font-bold tracking-tight text-balance sm:text-3xl">{shown ?? title}</h1>
          {lead === undefined ? null : <div className="mt-1 max-w-prose text-soft">{lead}</div>}
        </div>
        {aside}
      </header>
      {children}
    </div>
  );
}
