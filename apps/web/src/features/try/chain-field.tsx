import { useId, type JSX } from "react";
import { chainName } from "../../lib/chains.ts";

const chains = [1, 11_155_111, 8453, 10, 42_161, 137, 56, 43_114] as const;

type Props = { readonly value: string; readonly onChange: (chainId: string) => void };

/** A native select, for keyboard and phone support. */
export function ChainField({ value, onChange }: Props): JSX.Element {
  const id = useId();
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block text-sm font-semibold">
        Chain
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
        }}
        className="min-h-11 w-full rounded-lg border border-line bg-page px-3 py-2 text-ink"
      >
        {chains.map((chain) => (
          <option key={chain} value={String(chain)}>
            {chainName(chain)}
          </option>
        ))}
      </select>
    </div>
  );
}
