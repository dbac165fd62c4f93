// one head -> its table as a picture, its temperature, what it does, the sum it makes for one word
import { Behind, Table } from "../parts/table.tsx";
import { Slider } from "../parts/controls.tsx";
import { Legend } from "../parts/legend.tsx";
import { Matrix } from "../parts/matrix.tsx";
import { fixed, percent } from "../parts/numbers.ts";
import { say } from "../parts/words.ts";
import { go } from "../parts/address.ts";
import type { Attended } from "../trace.ts";
import { doing, nameOf } from "./heads.tsx";
import { terms } from "./mixing.ts";
import { choose, temperature, type HeadPlace } from "./state.ts";
import type { Grid, Place } from "./view.ts";

interface Props {
  attended: Attended;
  head: HeadPlace;
  shown: Grid;
  at: Place;
}

export function Details({ attended, head, shown, at }: Props) {
  return (
    <div class="details">
      <Labelled head={head} shown={shown} at={at} />
      <div class="details-side">
        <Measured attended={attended} head={head} />
        <div class="temperature">
          <Slider
            label={say("temperature_own")}
            value={temperature.value}
            min={0.1}
            max={3}
            step={0.05}
            text={fixed(temperature.value, 2)}
            change={(value) => go({ temperature: value === 1 ? undefined : String(value) })}
          />
          {temperature.value !== 1 && (
            <button type="button" class="button" onClick={() => go({ temperature: undefined })}>
              {say("temperature_back")}
            </button>
          )}
        </div>
        <Numbers attended={attended} head={head} shown={shown} at={at} />
      </div>
    </div>
  );
}

/** Room for a word beside a row, and above a column. */
const ROOM = 92;

/** The table as a picture, with its words where they can be read. */
function Labelled({ head, shown, at }: Omit<Props, "attended">) {
  const rows = shown.queries.texts;
  const columns = shown.keys.texts;
  const room = Math.min(400, window.innerWidth - 2 * ROOM);
  const size = Math.min(26, Math.max(3, room / Math.max(rows.length, columns.length)));
  const named = size >= 13;
  return (
    <div class="labelled" dir="ltr">
      <div class="labelled-frame" style={named ? { paddingTop: `${ROOM}px` } : undefined}>
        {named && (
          <div class="row-labels" aria-hidden="true">
            {rows.map((text, row) => (
              <bdi class={at.side === "query" && at.place === row ? "here" : undefined} style={{ height: `${size}px`, lineHeight: `${size}px` }}>
                {text}
              </bdi>
            ))}
          </div>
        )}
        <div class="labelled-picture">
          {named &&
            columns.map((text, column) => (
              <bdi
                aria-hidden="true"
                class={at.side === "key" && at.place === column ? "column-label here" : "column-label"}
                style={{ left: `${size * (column + 0.5)}px` }}
              >
                {text}
              </bdi>
            ))}
          <Matrix
            label={say("matrix_label", { head: nameOf(head) })}
            weights={shown.weights}
            rows={rows.length}
            columns={columns.length}
            allowed={shown.allowed}
            row={at.side === "query" ? at.place : undefined}
            width={Math.round(size * columns.length)}
            height={Math.round(size * rows.length)}
            choose={(row) => choose({ side: "query", place: row })}
          />
        </div>
      </div>
      <p class="under-matrix">
        <Legend /> <span class="weave" aria-hidden="true" /> {say("forbidden")}
      </p>
    </div>
  );
}

function Measured({ attended, head }: { attended: Attended; head: HeadPlace }) {
  const found = attended.measures[head.head]!;
  const shares = [
    ["does_own", found.own],
    ["does_previous", found.previous],
    ["does_next", found.next],
    ["does_signs", found.signs],
  ] as const;
  return (
    <dl class="measures">
      <div>
        <dt>{say("does")}</dt>
        <dd>{doing(found)}</dd>
      </div>
      <div>
        <dt>{say("sharpness")}</dt>
        <dd>{percent(found.sharpness)}</dd>
      </div>
      <div>
        <dt>{say("entropy")}</dt>
        <dd>{fixed(found.entropy, 2)}</dd>
      </div>
      <div>
        <dt>{say("distance")}</dt>
        <dd>{fixed(found.distance, 1)}</dd>
      </div>
      {shares.map(([name, share]) =>
        share === null ? null : (
          <div>
            <dt>{say(name)}</dt>
            <dd>{percent(share)}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** The numbers of the chosen word: score, weight, value, their product; and the sums. */
function Numbers({ attended, head, shown, at }: Props) {
  const columns = shown.keys.texts.length;
  const asks = at.side === "query";
  const texts = (asks ? shown.keys : shown.queries).texts;
  const caption = say(asks ? "numbers_query" : "numbers_key", {
    word: (asks ? shown.queries : shown.keys).texts[at.place] ?? "",
  });
  const cells = texts.map((_, place) => (asks ? at.place * columns + place : place * columns + at.place));
  const weights = cells.map((cell) => shown.weights[cell]!);
  const asking = asks ? (shown.queries.pieces[at.place] ?? []) : [];
  const single = asking.length === 1 && shown.keys.pieces.every((of) => of.length === 1);
  const scores = single ? attended.scores(head.head, asking[0]!) : null;
  const lengths =
    asks && attended.mixture && (single || attended.mixture.values)
      ? terms(attended, head.head, asking, shown.keys.pieces, weights)
      : null;
  const rows = texts.map((text, place) => [
    <bdi>{text}</bdi>,
    ...(scores ? [fixed(scores[shown.keys.pieces[place]![0]!]!, 2)] : []),
    shown.allowed[cells[place]!] ? fixed(weights[place]!, 3) : say("forbidden"),
    ...(lengths ? [fixed(lengths.values[place]!, 2), fixed(lengths.each[place]!, 2)] : []),
  ]);
  const last = [
    say("sum"),
    ...(scores ? [""] : []),
    fixed(weights.reduce((sum, weight) => sum + weight, 0), 3),
    ...(lengths ? ["", fixed(lengths.all, 2)] : []),
  ];
  const columnNames = [
    say("word"),
    ...(scores ? [say("score")] : []),
    say("weight"),
    ...(lengths ? [say("value_norm"), say("term_norm")] : []),
  ];
  return (
    <>
      <Table caption={caption} head={columnNames} rows={[...rows, last]} />
      {asks && !single && (attended.mixture || attended.hasScores) && (
        <p class="hint">{say("pieces_hint")}</p>
      )}
      {lengths && <p class="hint">{say("mixing_hint")}</p>}
    </>
  );
}

/** The whole table as numbers. */
export function Whole({ shown, head }: { shown: Grid; head: HeadPlace }) {
  const columns = shown.keys.texts.length;
  if (shown.weights.length > 2500) return null;
  return (
    <Behind
      caption={nameOf(head)}
      head={["", ...shown.keys.texts.map((text) => <bdi>{text}</bdi>)]}
      rows={shown.queries.texts.map((text, query) => [
        <bdi>{text}</bdi>,
        ...shown.keys.texts.map((_, key) =>
          shown.allowed[query * columns + key]
            ? fixed(shown.weights[query * columns + key]!, 3)
            : say("forbidden"),
        ),
      ])}
    />
  );
}
