// Renders only the visible part of a long list. Rows have fixed heights, so positions need no measuring.
import { useEffect, useState, type RefObject } from "react";

/** Rendered above and below the visible part. */
const marginPx = 600;

export type Part = {
  readonly from: number;
  readonly to: number;
  readonly above: number;
  readonly below: number;
};

/** Returns the part of a list to render, given the height of each item and the visible stretch in pixels. */
export function visiblePart(heights: readonly number[], top: number, bottom: number): Part {
  let at = 0;
  let from = -1;
  let to = 0;
  let above = 0;
  let below = 0;
  for (const [index, height] of heights.entries()) {
    const isIn = at + height >= top && at <= bottom;
    if (isIn) {
      if (from === -1) from = index;
      to = index + 1;
    } else if (from === -1) above += height;
    else below += height;
    at += height;
  }
  return from === -1 ? { from: 0, to: 0, above, below } : { from, to, above, below };
}

/** Follows the window's scroll position, relative to the list. Updates in steps, so that most scrolling renders nothing. */
export function useVisible(ref: RefObject<HTMLElement | null>): readonly [top: number, bottom: number] {
  const [visible, setVisible] = useState<readonly [number, number]>([0, 2000]);
  useEffect(() => {
    const measure = (): void => {
      const top = -(ref.current?.getBoundingClientRect().top ?? 0);
      const step = Math.floor(top / (marginPx / 2)) * (marginPx / 2);
      const next = [step - marginPx, step + innerHeight + 2 * marginPx] as const;
      setVisible((now) => (now[0] === next[0] && now[1] === next[1] ? now : next));
    };
    measure();
    addEventListener("scroll", measure, { passive: true });
    addEventListener("resize", measure);
    return () => {
      removeEventListener("scroll", measure);
      removeEventListener("resize", measure);
    };
  }, [ref]);
  return visible;
}
