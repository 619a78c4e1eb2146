import { Link } from "@tanstack/react-router";
import { useState, type JSX } from "react";
import { Choices } from "../../components/choices.tsx";
import { Page } from "../../components/page.tsx";
import { IntegrationSetUp } from "./integration.tsx";
import type { IntegrationType } from "./queries.ts";

const types = [
  {
    value: "agent",
    name: "For your agents",
    told: "Your custodian sends what matches, without asking you. Turn on “Matches are approved and sent” under Settings first.",
  },
  {
    value: "execution",
    name: "For what you send",
    told: "Your custodian sends what you approve, so you don’t send it yourself.",
  },
] as const;

/** Sets up access to a custodian's vault. */
export function CustodyPage(): JSX.Element {
  const [type, setType] = useState<IntegrationType>("agent");
  return (
    <Page
      title="Custody"
      lead="For funds in a custodian’s vault. No agent and no part of this service ever holds the vault’s key."
      aside={
        <Link to="/settings" className="text-sm font-semibold text-accent underline-offset-4 hover:underline">
          Back to settings
        </Link>
      }
    >
      <Choices
        label="Purpose"
        value={type}
        onChange={(value) => {
          setType(value === "execution" ? "execution" : "agent");
        }}
        choices={types}
      />
      <IntegrationSetUp key={type} type={type} />
    </Page>
  );
}
