// several heads side by side, and W^O that joins what they found (3.2.2 of the paper)
import { useSignal } from "@preact/signals";
import { mix, strongest, times } from "../parts/arithmetic.ts";
import { Legend } from "../parts/legend.tsx";
import { Matrix } from "../parts/matrix.tsx";
import { fixed, percent } from "../parts/numbers.ts";
import { StatusLine } from "../parts/status.tsx";
import { Behind } from "../parts/table.tsx";
import { Tokens } from "../parts/tokens.tsx";
import { Formula } from "../parts/text.tsx";
import { say } from "../parts/words.ts";
import { list } from "./bottleneck.tsx";
import { Figure } from "./figure.tsx";
import { layers, modelHead, type Head } from "./heads.ts";
import { Switch, layer, showsModel, whose } from "./switch.tsx";
import { HEADS, HEAD_VALUES, JOIN, sentence } from "./toy.ts";

/** The heads of one layer: the toy's two, or as many as the model has. */
function heads(): Head[] {
  if (!showsModel("encoder")) return HEADS.map((rows, place) => toy(rows, HEAD_VALUES[place]));
  const all = layers("encoder");
  const chosen = Math.min(layer.value, all.length - 1);
  return Array.from({ length: all[chosen].heads }, (_, at) => modelHead("encoder", chosen, at)!);
}

const toy = (rows: (typeof HEADS)[number], values: (typeof HEAD_VALUES)[number]): Head => ({
  toy: true,
  queries: sentence(),
  keys: sentence(),
  row: (query) => [...rows[query]],
  scores: (query) => rows[query].map(Math.log),
  allowed: () => rows.map(() => true),
  values,
});

export function Heads() {
  const query = useSignal(0);
  const shown = heads();
  const at = Math.min(query.value, shown[0].queries.length - 1);
  const word = shown[0].queries[at];
  const best = shown.map((head) => {
    const row = head.row(at);
    return strongest(row).map((place) => `"${head.keys[place]}" ${percent(row[place])}`).join(", ");
  });
  return (
    <Figure name="heads" title="p6_heads" how="p6_heads_how" toy={shown[0].toy}>
      <Switch kind="encoder" heads={false} />
      <Tokens label={say("asks")} words={shown[0].queries} chosen={at}
        choose={(place) => (query.value = place)} />
      <div class="grid">
        {shown.map((head, place) => (
          <One key={place} head={head} name={say("p6_head", { number: place + 1 })} at={at}
            choose={(row) => (query.value = row)} />
        ))}
      </div>
      <Legend />
      {shown[0].toy && <Joined at={at} />}
      <StatusLine
        line={`query = "${word}" | ${best.map((text, place) =>
          `${say("p6_head", { number: place + 1 })}: ${text}`).join(" | ")} | ${whose(shown[0].toy)}`}
      />
    </Figure>
  );
}

function One({ head, name, at, choose }: {
  head: Head;
  name: string;
  at: number;
  choose: (row: number) => void;
}) {
  const rows = head.queries.map((_, row) => head.row(row));
  return (
    <div class={head.toy ? "one one-toy" : "one"}>
      <h3>{name}</h3>
      <Matrix
        label={say("p6_matrix", { name, rows: rows.length, columns: head.keys.length })}
        weights={rows.flat()} rows={rows.length} columns={head.keys.length} row={at}
        width={150} height={150} choose={choose}
      />
      <Behind caption={name} head={[say("asks"), ...head.keys]}
        rows={() => head.queries.map((word, row) => [word, ...rows[row].map(percent)])} marked={at} />
    </div>
  );
}

/** Mixtures side by side, then W^O; and the average, which is something else. */
function Joined({ at }: { at: number }) {
  const mixed = HEADS.map((rows, place) => mix(rows[at], HEAD_VALUES[place]));
  const side = mixed.flat();
  const average = mixed[0].map((_, place) => (mixed[0][place] + mixed[1][place]) / 2);
  return (
    <div class="joined">
      {mixed.map((vector, place) => (
        <p class="total" dir="ltr"><Formula>{`head_${place + 1} = ${list(vector)}`}</Formula></p>
      ))}
      <p class="total" dir="ltr"><Formula>{`Concat = ${list(side)}`}</Formula></p>
      <p class="total" dir="ltr"><Formula>{`Concat · W^O = ${list(times(side, JOIN))}`}</Formula></p>
      <p class="under">
        {say("p6_average")} <Formula>{list(average)}</Formula>
      </p>
      <Behind caption={say("p6_join")} head={[say("row"), "1", "2", "3", "4"]}
        rows={JOIN.map((row, place) => [place + 1, ...row.map((value) => fixed(value, 0))])} />
    </div>
  );
}
