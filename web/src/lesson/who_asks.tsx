// part 4: who asks, and gathers for whom: one row of weights as lines (the paper's figures 3 to 5)
import { signal } from "@preact/signals";
import type { CSSProperties } from "preact";
import { strongest } from "../parts/arithmetic.ts";
import { Lines } from "../parts/lines.tsx";
import { percent } from "../parts/numbers.ts";
import { StatusLine } from "../parts/status.tsx";
import { Behind } from "../parts/table.tsx";
import { Caveat, Line, Text } from "../parts/text.tsx";
import { Tokens } from "../parts/tokens.tsx";
import { direction, say } from "../parts/words.ts";
import { Figure } from "./figure.tsx";
import type { Head } from "./heads.ts";
import { Switch, shown, showsModel, whose } from "./switch.tsx";
import { GIVEN } from "./toy.ts";

/** The word that asks, in this part and the next: both show the same row. */
export const query = signal(0);

export function WhoAsks() {
  return (
    <>
      <Text of="p4_lead" />
      <Room />
      <Asking />
      <Text of="p4_tour" />
      <Caveat of="p4_not" />
      <Text of="p4_history" />
      <Text of="p4_appendix" />
    </>
  );
}

const Room = () => (
  <section class="two">
    <div>
      <h2>{say("p4_room_title")}</h2>
      <Text of="p4_room" />
    </div>
    <div>
      <h2>{say("p4_breaks_title")}</h2>
      <Text of="p4_breaks" />
    </div>
  </section>
);

/** The words that a row looks at most, with every one where they tie. */
export function mostOf(words: readonly string[], weights: readonly number[]): string {
  const places = strongest(weights);
  return say("most", {
    words: places.map((place) => `"${words[place]}"`).join(", "),
    share: percent(weights[places[0]]),
  });
}

/** The place that asks, in whatever is shown. */
export const asking = (head: Head): number => Math.min(query.value, head.queries.length - 1);

function Asking() {
  const head = shown("encoder");
  const at = asking(head);
  const weights = head.row(at);
  const word = head.queries[at];
  const toy = head.toy;
  return (
    <Figure name="asking" title="p4_figure" how="p4_how" toy={toy}>
      <Switch kind="encoder" />
      <div
        class={head.keys.length > 12 ? "asking asking-list" : "asking"}
        role="group"
        aria-label={say(toy ? "p4_label" : "p4_label_model", {
          word,
          row: head.keys.map((key, place) => `${key} ${percent(weights[place])}`).join(" "),
        })}
      >
        <Lines query={at} weights={weights}>
          <Tokens
            class="round"
            label={say("sentence")}
            words={head.keys}
            chosen={at}
            choose={(place) => (query.value = place)}
            place={(place) => onCircle(place, head.keys.length)}
            under={(place) => <Share weight={weights[place]} />}
          />
        </Lines>
      </div>
      <p class="under">
        <Line of="p4_scale" />
      </p>
      <StatusLine
        line={`query = "${word}" | ${mostOf(head.keys, weights)} | ${whose(toy)}`}
      />
      {toy && at >= GIVEN && (
        <p class="under">
          <Line of="p4_ours" />
        </p>
      )}
      <Behind
        caption={say(showsModel("encoder") ? "p4_table_model" : "p4_table")}
        head={[say("asks"), ...head.keys]}
        rows={() => head.queries.map((asker, row) => [asker, ...head.row(row).map(percent)])}
        marked={at}
      />
    </Figure>
  );
}

const Share = ({ weight }: { weight: number }) => (
  <>
    <span class="share-bar" aria-hidden="true">
      <span class="bar" style={{ width: `${weight * 100}%` }} />
    </span>
    {percent(weight)}
  </>
);

/** Where a word stands; only for reading, no position is computed from it. */
function onCircle(place: number, count: number): CSSProperties {
  const side = direction.value === "rtl" ? -1 : 1;
  const angle = (2 * Math.PI * place) / count - Math.PI / 2;
  return {
    left: `${50 + side * 38 * Math.cos(angle)}%`,
    top: `${54 + 36 * Math.sin(angle)}%`,
  };
}
