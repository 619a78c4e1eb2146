import type { CallName, CallNode, Effect } from "@countersign/sdk/report";
import { TriangleAlert } from "lucide-react";
import type { JSX } from "react";
import { cn } from "../../lib/class-names.ts";
import { Badge } from "../badge.tsx";
import { Hex } from "../hex.tsx";
import { Text } from "../text.tsx";
import { callNumber, coinAmount, isWei, sentenceCase } from "./plain-words.ts";
import { Said } from "./said.tsx";

type Props = { readonly calls: readonly CallNode[]; readonly chainId: number };

/** Nested calls. */
export function CallTree({ calls, chainId }: Props): JSX.Element {
  return (
    <ol className="space-y-2">
      {calls.map((node) => (
        <li key={node.call}>
          <Call node={node} chainId={chainId} />
          {node.children.length === 0 ? null : (
            <div className="mt-2 border-l-2 border-line pl-2 sm:pl-4">
              <p className="sr-only">Calls inside it:</p>
              <CallTree calls={node.children} chainId={chainId} />
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}

type CallProps = { readonly node: CallNode; readonly chainId: number };

function Call({ node, chainId }: CallProps): JSX.Element {
  const isForeign = node.isDelegate && !node.isKnown;
  return (
    <div
      className={cn(
        "rounded-xl border p-3",
        isForeign ? "border-2 border-bad bg-bad-bg" : "border-line bg-page",
      )}
    >
      {isForeign ? (
        <p className="mb-2 flex items-center gap-2 font-bold text-bad">
          <TriangleAlert aria-hidden className="size-5 shrink-0" />
          Runs unknown code as your wallet
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {node.call.includes("/") ? <span className="text-sm text-soft">{callNumber(node.call)}</span> : null}
        <CalledFunction node={node} />
        {node.isDelegate && node.isKnown ? (
          <Badge tone="open">Runs a known library as your wallet</Badge>
        ) : null}
      </div>
      <div className="mt-1 flex flex-wrap items-center gap-x-4 text-sm">
        <span>
          {node.isDelegate ? "code of " : "to "}
          {node.to === null ? "a new contract" : <Hex value={node.to} label="called address" />}
        </span>
        {node.value === null || node.value === "0" ? null : (
          <span>
            with{" "}
            <strong>{isWei(node.value) ? coinAmount(node.value, chainId) : <Text>{node.value}</Text>}</strong>
          </span>
        )}
      </div>
      <Named named={node.named} />
      <Effects effects={node.effects} isHolder={node.children.length > 0} />
    </div>
  );
}

function CalledFunction({ node }: { readonly node: CallNode }): JSX.Element {
  if (node.function === null)
    return (
      <Badge tone="open">{node.data?.[0] === node.data?.[1] ? "No function" : "Unknown function"}</Badge>
    );
  return (
    <>
      <span className="font-semibold">
        <Text>{node.function}</Text>
      </span>
      {node.isDelegate && !node.isKnown ? (
        <span className="text-sm">is the name it gives itself. We don’t know what the code does.</span>
      ) : node.isKnown ? (
        node.protocol === null ? null : (
          <span className="text-sm text-soft">
            <Text>{node.protocol === "native" ? "native token" : node.protocol.replaceAll("_", " ")}</Text>
          </span>
        )
      ) : (
        <Badge tone="open">Unknown contract</Badge>
      )}
    </>
  );
}

/** The operator's names for a call that we do not know. They help to recognize it and confirm nothing. */
function Named({ named }: { readonly named: CallName | null }): JSX.Element | null {
  if (named === null) return null;
  const { contract, source, asOf, intent } = named;
  return (
    <div className="mt-2 text-sm">
      <p>
        Named{" "}
        <strong>
          <Text>{[contract, named.function].filter((one) => one !== null).join(": ")}</Text>
        </strong>
        {intent === null ? null : (
          <>
            {" "}
            (<Text>{intent}</Text>)
          </>
        )}{" "}
        by <Text>{source ?? "a file of the operator"}</Text>
        {asOf === null ? null : <Text>{`, ${asOf}`}</Text>}. We did not check that it does what the name says.
      </p>
      {named.arguments.length === 0 ? null : (
        <dl className="mt-1">
          {named.arguments.map(({ name, label, value }) => (
            <div key={name} className="flex flex-wrap gap-x-2">
              <dt className="text-soft">
                <Text>{label === null ? name : `${label} (${name})`}</Text>
              </dt>
              <dd>
                <Text>{value}</Text>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

function Effects({
  effects,
  isHolder,
}: {
  readonly effects: readonly Effect[];
  readonly isHolder: boolean;
}): JSX.Element | null {
  if (effects.length === 0)
    return isHolder ? null : <p className="mt-2 text-sm text-soft">We can’t read what it does.</p>;
  return (
    <ul className="mt-2 space-y-1">
      {effects.map(({ sentence }, index) => (
        <li key={index}>
          <Said>{`${sentenceCase(sentence)}.`}</Said>
        </li>
      ))}
    </ul>
  );
}
