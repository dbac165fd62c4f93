// part 2: scaled dot-product attention by hand (3.2.1 of the paper)
import { useSignal } from "@preact/signals";
import { dot, mix, softmax } from "../parts/arithmetic.ts";
import { NumberField, Slider } from "../parts/controls.tsx";
import { fixed, percent } from "../parts/numbers.ts";
import { StatusLine } from "../parts/status.tsx";
import { Table } from "../parts/table.tsx";
import { Caveat, Formula, Text } from "../parts/text.tsx";
import { say } from "../parts/words.ts";
import { Vector, list } from "./bottleneck.tsx";
import { Bar, Figure } from "./figure.tsx";
import { Root } from "./root.tsx";
import { KEYS, LISTS, NUMBERS, QUERY, SHARE } from "./toy.ts";

export function ByHand() {
  return (
    <>
      <Text of="p2_lead" />
      <Mixture />
      <Caveat of="p2_not" />
      <Text of="p2_formula" />
      <Match />
      <Text of="p2_root" />
      <Root />
      <Caveat of="p2_root_not" />
      <Text of="p2_other" />
    </>
  );
}

/** Digits as they need be: 5, 0.5, 2.25. */
const short = (value: number): string => String(Number(value.toFixed(4))).replace("-", "−");

function Mixture() {
  const share = useSignal(SHARE);
  const numbers = useSignal(NUMBERS);
  const lists = useSignal(LISTS);
  const shares = [share.value, 1 - share.value];
  const sum = dot(shares, numbers.value);
  const mixed = mix(shares, lists.value);
  const term = (place: number) => `${short(shares[place])} × ${short(numbers.value[place])}`;
  return (
    <Figure name="mixture" title="p2_figure" how="p2_how" toy>
      <div class="controls">
        <Slider label={say("p2_share")} value={share.value} min={0} max={1} step={0.05}
          text={`${percent(shares[0])} : ${percent(shares[1])}`}
          change={(value) => (share.value = value)} />
      </div>
      <Table
        caption={say("p2_table")}
        hideCaption
        head={[say("value"), say("weight"), say("p2_number"), say("p2_list")]}
        rows={shares.map((weight, place) => [
          place + 1,
          <Bar share={weight} text={fixed(weight, 2)} />,
          <NumberField
            label={say("p2_number_of", { place: place + 1 })}
            value={numbers.value[place]}
            change={(next) => (numbers.value = numbers.value.map((old, at) => at === place ? next : old))}
          />,
          <Vector
            label={say("p2_list_of", { place: place + 1 })}
            vector={lists.value[place]}
            change={(row) => (lists.value = lists.value.map((old, at) => (at === place ? row : old)))}
          />,
        ])}
      />
      <p class="total" dir="ltr"><bdi>{term(0)} + {term(1)} = {short(sum)}</bdi></p>
      <p class="total" dir="ltr">
        <bdi>
          {short(shares[0])} × {plain(lists.value[0])} + {short(shares[1])} × {plain(lists.value[1])} = {plain(mixed)}
        </bdi>
      </p>
      <StatusLine
        line={`${shares.map(percent).join(" + ")} = 100% | ${short(sum)} | ${plain(mixed)} | ${say("example")}`}
      />
    </Figure>
  );
}

const plain = (vector: readonly number[]): string => `[${vector.map(short).join("; ")}]`;

function Match() {
  const query = useSignal(QUERY);
  const keys = useSignal(KEYS);
  const products = keys.value.map((key) => dot(query.value, key));
  const scores = products.map((product) => product / Math.sqrt(2));
  const shares = softmax(scores);
  return (
    <Figure name="match" title="p2_match" how="p2_match_how" toy>
      <p class="state">
        <span>{say("query")}</span>{" "}
        <Vector label={say("query")} vector={query.value} change={(row) => (query.value = row)} />
      </p>
      <Table
        caption={say("p2_match_table")}
        hideCaption
        head={[say("key"), say("p2_key"), <Formula>q·k</Formula>,
          <Formula>q·k / √2</Formula>, <Formula>softmax</Formula>]}
        rows={keys.value.map((key, place) => [
          place + 1,
          <Vector label={say("p2_key_of", { place: place + 1 })} vector={key}
            change={(row) => (keys.value = keys.value.map((old, at) => (at === place ? row : old)))} />,
          <bdi dir="ltr">{fixed(products[place], 2)}</bdi>,
          <bdi dir="ltr">{fixed(scores[place], 2)}</bdi>,
          <Bar share={shares[place]} text={fixed(shares[place], 2)} />,
        ])}
      />
      <p class="total" dir="ltr"><bdi>softmax({list(scores)}) = {list(shares)}</bdi></p>
      <StatusLine
        line={`q·k = ${list(products)} | q·k / √2 = ${list(scores)} | w = ${list(shares)} | ${say("example")}`}
      />
    </Figure>
  );
}
