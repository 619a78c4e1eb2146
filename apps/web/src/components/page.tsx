import { useEffect, type JSX, type ReactNode } from "react";

type Props = {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
};

/** A page with one h1, which is also the document title. */
export function Page({ title, lead, aside, children }: Props): JSX.Element {
  useEffect(() => {
    document.title = `${title} · Countersign`;
  }, [title]);
  return (
    <div className="space-y-4 sm:space-y-5">
      <header className="flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0">
          <h1 className="text-2xl font-bold tracking-tight text-balance">{title}</h1>
          {lead === undefined ? null : <p className="mt-1 max-w-prose text-soft">{lead}</p>}
        </div>
        {aside}
      </header>
      {children}
    </div>
  );
}
