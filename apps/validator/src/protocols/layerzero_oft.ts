/** Tokens with a bridge of their own. The called contract is the token, or an adapter in front of one. */
import { token, unsaid } from "../effects.ts";
import { defineProtocol, fn } from "../protocol.ts";
import { bridgeVerbs } from "./shared/bridging.ts";
import { sendByLayerZero, sendParam, sendUses } from "./shared/layerzero.ts";

export default defineProtocol({
  title: "LayerZero OFT",
  names: ["layerzero", "layer zero", "layerzero oft", "oft"],
  verbs: bridgeVerbs,
  contracts: {},
  functions: [
    fn(`function send(${sendParam}) payable`, "anywhere", sendUses, ([param, fee, refund], call) => {
      const isToken = call.registry.token(call.chain, call.to) !== null;
      const asset = isToken ? token(call.to) : unsaid("the token behind this adapter");
      return sendByLayerZero({ param, fee, refund }, { asset, commands: ["0x"] }, call);
    }),
  ],
});
