import type { Authority, ControlChange, Flow, NetEffect } from "@countersign/sdk/report";
import { ArrowDownLeft, ArrowUpRight } from "lucide-react";
import type { JSX, ReactNode } from "react";
import { exactTime } from "../../lib/format.ts";
import { Hex } from "../hex.tsx";
import { Notice } from "../notice.tsx";
import { Text } from "../text.tsx";
import {
  amountOf,
  assetName,
  coinAmount,
  controlOf,
  limitOf,
  partyName,
  powerOf,
  sentenceCase,
  untilOf,
} from "./plain-words.ts";

type Props = {
  readonly net: NetEffect;
  readonly value: string | null;
  readonly chainId: number;
  /** Part of the transaction could not be decoded. */
  readonly isPart: boolean;
};

/** The worst-case net effect of the whole transaction. */
export function Net({ net, value, chainId, isPart }: Props): JSX.Element {
  return (
    <div className="space-y-4">
      {net.control.map((change, index) => (
        <Control key={index} change={change} />
      ))}
      <div className="grid gap-3 sm:grid-cols-2">
        <Side
          heading={isPart ? "Leaves your wallet (what we can read)" : "Leaves your wallet, at most"}
          Icon={ArrowUpRight}
        >
          {net.leaves.length === 0 ? (
            <p className={net.authority.length === 0 ? "text-soft" : ""}>
              {value === null || value === "0" ? nothing(net) : coinAmount(value, chainId)}
            </p>
          ) : (
            net.leaves.map((flow, index) => <Amount key={index} flow={flow} side="leaves" />)
          )}
          {net.authority.map((held, index) => (
            <CanBeTaken key={index} held={held} />
          ))}
        </Side>
        <Side
          heading={isPart ? "Arrives in your wallet (what we can read)" : "Arrives in your wallet, at least"}
          Icon={ArrowDownLeft}
        >
          {net.arrives.length === 0 ? (
            <p className="text-soft">Nothing</p>
          ) : (
            net.arrives.map((flow, index) => <Amount key={index} flow={flow} side="arrives" />)
          )}
        </Side>
      </div>
      <Paid others={net.others} />
      <Remains authority={net.authority} isPart={isPart} />
    </div>
  );
}

const nothing = ({ authority }: NetEffect): string => (authority.length === 0 ? "Nothing" : "Nothing now");

/** Access counts as outflow: it can be used at any time. */
function CanBeTaken({ held }: { readonly held: Authority }): JSX.Element | null {
  if (held.most === "0" || held.asset === null) return null;
  return (
    <div className="text-open">
      <p className="text-sm font-semibold">Can be taken later, up to</p>
      <p>
        <Text>{`${sentenceCase(limitOf(held))} ${assetName(held.asset)}`}</Text>
      </p>
    </div>
  );
}

type SideProps = {
  readonly heading: string;
  readonly Icon: typeof ArrowUpRight;
  readonly children: ReactNode;
};

function Side({ heading, Icon, children }: SideProps): JSX.Element {
  return (
    <div className="rounded-xl bg-inset p-3">
      <h3 className="mb-1 flex items-center gap-1.5 text-sm font-semibold text-soft">
        <Icon aria-hidden className="size-4" />
        {heading}
      </h3>
      <div className="space-y-2 text-xl font-bold">{children}</div>
    </div>
  );
}

function Amount({ flow, side }: { readonly flow: Flow; readonly side: "leaves" | "arrives" }): JSX.Element {
  return (
    <div>
      <p>
        <Text>{`${amountOf(flow, side)} ${assetName(flow)}`}</Text>
      </p>
      <div className="flex flex-wrap items-center gap-x-3 text-sm font-normal text-soft">
        {flow.usd === null ? <span>No price</span> : <Text>{`about $${flow.usd}`}</Text>}
        {flow.address === null ? null : <Hex value={flow.address} label="token" />}
      </div>
    </div>
  );
}

function Control({ change }: { readonly change: ControlChange }): JSX.Element {
  return (
    <Notice tone="bad" title={<span className="text-base">{controlOf(change)}</span>}>
      {change.party === null ? null : (
        <>
          To <Party party={change.party} />
        </>
      )}
    </Notice>
  );
}

function Party({ party }: { readonly party: string }): JSX.Element {
  return party.startsWith("0x") ? <Hex value={party} label="address" /> : <Text>{partyName(party)}</Text>;
}

function Paid({ others }: { readonly others: NetEffect["others"] }): JSX.Element | null {
  if (others.length === 0) return null;
  return (
    <div>
      <h3 className="text-sm font-semibold">Who gets paid</h3>
      <ul className="mt-1 divide-y divide-line">
        {others.map((flow, index) => (
          <li key={index} className="flex flex-wrap items-center justify-between gap-x-4 py-1.5">
            <Party party={flow.party} />
            <span className="font-semibold">
              <Text>{`${amountOf(flow, "leaves")} ${assetName(flow)}`}</Text>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

type RemainsProps = { readonly authority: readonly Authority[]; readonly isPart: boolean };

function Remains({ authority, isPart }: RemainsProps): JSX.Element {
  return (
    <div>
      <h3 className="text-sm font-semibold">Access that remains</h3>
      {authority.length === 0 ? (
        <p className="mt-1 text-sm text-soft">
          {isPart ? "Unknown: we can’t read part of it." : "No one gets new access to your wallet."}
        </p>
      ) : (
        <ul className="mt-1 space-y-1">
          {authority.map((held, index) => (
            <Power key={index} held={held} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Power({ held }: { readonly held: Authority }): JSX.Element {
  const until = untilOf(held.until);
  return (
    <li>
      <Party party={held.spender} />{" "}
      <strong>
        <Text>{powerOf(held)}</Text>
      </strong>
      {until === null ? ", until you revoke it" : `, until ${exactTime(until)}`}
    </li>
  );
}
