import type { JSX, ReactNode } from "react";

export type Fact = readonly [label: string, value: ReactNode];

/** A list of labels and values, stacked on narrow screens. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }): JSX.Element {
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-2 text-sm sm:grid-cols-[max-content_1fr]">
      {facts.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-soft sm:py-1">{label}</dt>
          <dd className="min-w-0 pb-1 wrap-anywhere sm:py-1">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
