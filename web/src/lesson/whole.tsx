// part 6: heads, positions, the whole model
import { Caveat, Text } from "../parts/text.tsx";
import { say } from "../parts/words.ts";
import { Heads } from "./several.tsx";
import { Plan } from "./map.tsx";
import { Positions } from "./positions.tsx";

export function Whole() {
  return (
    <>
      <Text of="p6_lead" />
      <Heads />
      <Caveat of="p6_heads_not" />
      <Text of="p6_positions" />
      <Positions />
      <Caveat of="p6_positions_not" />
      <h2>{say("p6_uses_title")}</h2>
      <Uses />
      <h2 id="rest" tabIndex={-1}>{say("p6_rest_title")}</h2>
      <Text of="p6_rest" />
      <Plan />
      <Caveat of="p6_whole_not" />
    </>
  );
}

const Uses = () => (
  <ol class="uses">
    <li><Text of="p6_use_cross" /></li>
    <li><Text of="p6_use_encoder" /></li>
    <li><Text of="p6_use_decoder" /></li>
  </ol>
);
