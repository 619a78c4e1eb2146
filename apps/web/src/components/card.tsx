import { useId, type JSX, type ReactNode } from "react";
import { cn } from "../lib/class-names.ts";

type Props = {
  readonly title?: ReactNode;
  /** Content next to the title, such as a badge or a button. */
  readonly aside?: ReactNode;
  readonly level?: 2 | 3;
  readonly className?: string;
  readonly children: ReactNode;
};

/** A section of a page, labelled by its heading. */
export function Card({ title, aside, level = 2, className, children }: Props): JSX.Element {
  const id = useId();
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <section
      {...(title === undefined ? {} : { "aria-labelledby": id })}
      className={cn("rounded-2xl border border-line bg-card p-4 sm:p-5", className)}
    >
      {title === undefined ? null : (
        <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
          <Heading id={id} className="text-base font-semibold">
            {title}
          </Heading>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
