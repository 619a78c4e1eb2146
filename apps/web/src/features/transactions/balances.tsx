import { formatUnits, readBalances, type AssetBalance, type Balances } from "@countersign/sdk/report";
import type { TransactionView } from "@countersign/sdk";
import { useId, type JSX } from "react";
import { Hex } from "../../components/hex.tsx";
import { assetName, grouped } from "../../components/report/plain-words.ts";
import { Text } from "../../components/text.tsx";
import { holderOf, type Holder } from "./balances-holder.ts";

type Known = Extract<Balances, { readonly isKnown: true }>;
type Props = {
  /** As the receipt has it. */
  readonly report: unknown;
  readonly transaction: TransactionView;
};

/** Balances of the account, or of its Safe, before and after, from the proven state alone, or why they are not known. */
export function BalancesPart({ report, transaction }: Props): JSX.Element {
  const balances = readBalances(report);
  if (!balances.isKnown) return <NotKnown why={balances.why} />;
  const holder = holderOf(transaction, balances.account);
  if (holder === undefined) return <NotKnown why="The report is about another account." />;
  return <Table balances={balances} holder={holder} />;
}

function NotKnown({ why }: { readonly why: string }): JSX.Element {
  return (
    <p className="text-sm text-soft">
      Balances are not known. <Text>{why}</Text>
    </p>
  );
}

function Table({ balances, holder }: { readonly balances: Known; readonly holder: Holder }): JSX.Element {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="text-sm font-semibold">
        {holder === "safe" ? "Balances of the Safe" : "Balances"}
      </h3>
      {holder === "safe" ? <Hex value={balances.account} label="Safe" /> : null}
      {balances.assets.length === 0 ? (
        <p className="mt-1 text-sm">We found no balance that changes.</p>
      ) : (
        <table className="mt-1 w-full table-fixed text-sm">
          <thead>
            <tr className="text-left text-soft">
              <th scope="col" className="py-1 pr-3 font-normal">
                Asset
              </th>
              <th scope="col" className="py-1 pr-3 font-normal">
                Before
              </th>
              <th scope="col" className="py-1 font-normal">
                After
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line border-t border-line">
            {balances.assets.map((asset, index) => (
              <Row key={index} asset={asset} />
            ))}
          </tbody>
        </table>
      )}
      {notesOf(balances).map((note) => (
        <p key={note} className="mt-1 text-sm text-soft">
          {note}
        </p>
      ))}
    </section>
  );
}

function Row({ asset }: { readonly asset: AssetBalance }): JSX.Element {
  const { symbol, address, before, after } = asset;
  return (
    <tr className="align-top">
      <th scope="row" className="py-1.5 pr-3 text-left font-semibold">
        {symbol === null && address !== null ? (
          <Hex value={address} label="token" />
        ) : (
          <Text>{assetName(asset)}</Text>
        )}
      </th>
      {[before, after].map((units, index) => (
        <td key={index} className="py-1.5 pr-3 tabular-nums">
          {units === null ? (
            <span className="text-open">Not known</span>
          ) : (
            <Text>{grouped(formatUnits(units, asset.decimals))}</Text>
          )}
        </td>
      ))}
    </tr>
  );
}

/** States the block, whether the fee is included, and which numbers are missing or only claimed. */
function notesOf({ block, isFeeIncluded, isComplete, assets }: Known): readonly string[] {
  const fee = isFeeIncluded ? "The network fee is included." : "The network fee is not included.";
  return [
    `Read at block ${grouped(block)}, as if the transaction were next. ${fee}`,
    ...(assets.some(({ isMeasured }) => !isMeasured)
      ? ["Not known: the contract doesn’t say how much you hold."]
      : []),
    ...(assets.some(({ kind, symbol }) => kind !== "native" && symbol === null)
      ? ["We don’t know every token here. The balances of an unknown token are its contract’s own claim."]
      : []),
    ...(isComplete ? [] : ["We couldn’t read everything that happens, so a balance may be missing."]),
  ];
}
