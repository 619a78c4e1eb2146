import type { ReadReport } from "@countersign/sdk/report";
import { ArrowRightLeft, CircleHelp, KeyRound, TriangleAlert, type LucideIcon } from "lucide-react";
import type { JSX } from "react";
import { cn } from "../../lib/class-names.ts";
import { effectLines, type EffectLine, type Subject } from "./effects.ts";
import { Said } from "./said.tsx";

const looks: Readonly<Record<EffectLine["kind"], { readonly Icon: LucideIcon; readonly ink: string }>> = {
  moves: { Icon: ArrowRightLeft, ink: "" },
  access: { Icon: KeyRound, ink: "text-open" },
  control: { Icon: TriangleAlert, ink: "text-bad" },
  unread: { Icon: CircleHelp, ink: "text-open" },
};

type Props = {
  readonly report: ReadReport | undefined;
  readonly subject: Subject;
  readonly chainId: number;
};

/** Everything that the transaction does, one line for each effect, with whole addresses. */
export function EffectList({ report, subject, chainId }: Props): JSX.Element {
  return (
    <ul aria-label="What it does" className="space-y-2">
      {effectLines(report, subject, chainId).map(({ kind, text }, index) => {
        const { Icon, ink } = looks[kind];
        return (
          <li key={index} className={cn("flex gap-3 text-lg font-semibold", ink)}>
            <Icon aria-hidden className="mt-1 size-5 shrink-0" />
            <span className="min-w-0">
              <Said>{text}</Said>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
