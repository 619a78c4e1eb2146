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
    told: "The service has the custodian send what the arbiter approved. It takes the execution that sends by itself, under Settings.",
  },
  {
    value: "execution",
    name: "For what you send",
    told: "The operator can have what you approved sent for you, where you would otherwise send it yourself.",
  },
] as const;

/** Sets up the access to a vault at a custodian, step by step. */
export function CustodyPage(): JSX.Element {
  const [type, setType] = useState<IntegrationType>("agent");
  return (
    <Page
      title="Custody"
      lead="For money in a vault at a custodian. Neither an agent nor this service ever holds the vault’s key."
      aside={
        <Link to="/settings" className="text-sm font-semibold text-accent underline-offset-4 hover:underline">
          Back to settings
        </Link>
      }
    >
      <Choices
        label="What it is for"
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
