import { useMemo, type JSX } from "react";
import { encode } from "uqr";

const quietModules = 4;

/** A QR code as one SVG path. Always dark on light: many readers do not recognize inverted codes. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const { size, path } = useMemo(() => {
    const { data, size: modules } = encode(text, { border: quietModules });
    const rows = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { size: modules, path: rows.join("") };
  }, [text]);
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className="size-44 rounded-xl bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
