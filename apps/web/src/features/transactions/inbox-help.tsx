import { useState, type JSX } from "react";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Facts } from "../../components/facts.tsx";
import { areKeysOn, setKeysOn } from "../../lib/keys.ts";

const keys = [
  ["J, K", "Next, previous"],
  ["Enter", "Open"],
  ["A", "Open the approval dialog"],
  ["R", "Open the rejection dialog"],
  ["X", "Select"],
  ["/", "Search"],
  ["Esc", "Clear the selection"],
  ["?", "Show the keys"],
] as const;

/** The keys of the inbox, and the switch that turns single letters off. */
export function InboxHelp({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}): JSX.Element {
  const [isOn, setOn] = useState(areKeysOn);
  return (
    <Dialog isOpen={isOpen} title="Keyboard" onClose={onClose}>
      <Facts facts={keys} />
      <p className="text-sm text-soft">No key approves anything.</p>
      <Checkbox
        isChecked={isOn}
        onChange={(next) => {
          setKeysOn(next);
          setOn(next);
        }}
      >
        Use single-letter keys
      </Checkbox>
      <DialogButtons>
        <Button onClick={onClose}>Close</Button>
      </DialogButtons>
    </Dialog>
  );
}
