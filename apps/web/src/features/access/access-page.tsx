import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { JSX } from "react";
import { buttonClass } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Page } from "../../components/page.tsx";
import { configQuery } from "../../lib/config.ts";
import { sessionQuery } from "../../lib/session.ts";
import { settingsQuery } from "../../lib/settings.ts";
import { Grants } from "./grants.tsx";
import { Keys } from "./keys.tsx";

function Line({ value, label }: { readonly value: string; readonly label: string }): JSX.Element {
  return (
    <span className="flex items-center gap-2 rounded-lg bg-inset px-3 py-1">
      <code className="min-w-0 flex-1 font-mono text-sm wrap-anywhere">{value}</code>
      <CopyButton value={value} label={label} />
    </span>
  );
}

function HowToConnect(): JSX.Element {
  const { data: config } = useQuery(configQuery);
  const url = config?.apiUrl;
  return (
    <Card title="Connect an agent">
      <ul className="space-y-3 text-sm">
        <li className="space-y-1">
          <p>AI assistant or editor with MCP: add this address, then approve access in your browser.</p>
          {url === undefined ? null : <Line value={`${url}/mcp`} label="Copy MCP address" />}
        </li>
        <li className="space-y-1">
          <p>Command line: run this, then compare the four characters on the page that opens.</p>
          {url === undefined ? null : <Line value={`countersign login --url ${url}`} label="Copy command" />}
        </li>
        <li>Your own program: create an API key.</li>
      </ul>
    </Card>
  );
}

/** Lists connected apps and keys, with the ways to add and remove them. */
export function AccessPage(): JSX.Element {
  const { data: session } = useQuery(sessionQuery);
  const { data: settings } = useQuery(settingsQuery);
  return (
    <Page
      title="Agents and keys"
      lead="They can propose. Each proposal is checked before anything is approved."
      aside={
        session == null || settings?.publicProfile !== true ? null : (
          <Link to="/agents/$address" params={{ address: session.address }} className={buttonClass("plain")}>
            View public profile
          </Link>
        )
      }
    >
      <Grants />
      <Keys />
      <HowToConnect />
    </Page>
  );
}
