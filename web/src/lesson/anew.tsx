// part 5: the same scores, divided anew: temperature, mask, values (3.2.1 and 3.2.3 of the paper)
import { signal } from "@preact/signals";
import { mix } from "../parts/arithmetic.ts";
import { NumberField, Slider } from "../parts/controls.tsx";
import { fixed, percent } from "../parts/numbers.ts";
import { StatusLine } from "../parts/status.tsx";
import { Behind, Table } from "../parts/table.tsx";
import { Caveat, Line, Text } from "../parts/text.tsx";
import { Tokens } from "../parts/tokens.tsx";
import { say } from "../parts/words.ts";
import { Bar, Figure } from "./figure.tsx";
import type { Head } from "./heads.ts";
import { Switch, shown, whose } from "./switch.tsx";
import { VALUES } from "./toy.ts";
import { asking, query } from "./who_asks.tsx";

const temperature = signal(1);
const invented = signal(VALUES);

export function Anew() {
  return (
    <>
      <Text of="p5_lead" />
      <Divide />
      <Caveat of="p5_mask_not" />
      <Text of="p5_temperature" />
      <Sum />
      <Caveat of="p5_not" />
    </>
  );
}

function Ask({ head }: { head: Head }) {
  return (
    <div class="controls">
      <div>
        <p class="slider-label">{say("asks")}</p>
        <Tokens label={say("asks")} words={head.queries} chosen={asking(head)}
          choose={(place) => (query.value = place)} />
      </div>
      <Slider label={say("p5_slider")} value={temperature.value} min={0.1} max={3} step={0.05}
        text={`T = ${fixed(temperature.value, 2)}`}
        change={(value) => (temperature.value = value)} />
    </div>
  );
}

function Divide() {
  const free = shown("encoder");
  const masked = shown("decoder", true);
  const at = asking(free);
  const word = free.queries[at];
  return (
    <Figure name="divide" title="p5_figure" how="p5_how" toy={free.toy}>
      <Switch kind="encoder" />
      <Ask head={free} />
      <div class="sides">
        <Panel name="encoder" title={say("p5_encoder")} head={free} at={at} />
        <Panel name="decoder" title={say("p5_decoder")} head={masked} at={asking(masked)} />
      </div>
      <StatusLine
        line={[
          free.toy ? "softmax(log(w) / T)" : "softmax(s / T)",
          `T = ${fixed(temperature.value, 2)}`,
          whose(free.toy),
          `query = "${word}"`,
          "sum(p) = 1",
          say("p5_rounded"),
        ].join(" | ")}
      />
    </Figure>
  );
}

interface PanelProps {
  name: string;
  title: string;
  head: Head;
  at: number;
}

function Panel({ name, title, head, at }: PanelProps) {
  const weights = head.row(at, temperature.value);
  const allowed = head.allowed(at);
  const scores = head.scores(at);
  const text = (key: number) => percent(weights[key]) + (allowed[key] ? "" : ` ${say("forbidden")}`);
  return (
    <div class="panel" data-panel={name}>
      <h3>{title}</h3>
      {!head.toy && <p class="under"><bdi>{head.queries[at]}</bdi></p>}
      <ul class="bars" aria-label={title}>
        {head.keys.map((word, key) => (
          <li>
            <bdi class="bars-word">{word}</bdi>
            <Bar share={weights[key]} text={text(key)} forbidden={!allowed[key]} />
          </li>
        ))}
      </ul>
      <Behind
        caption={title}
        head={[say("word"), say("score"), say("weight")]}
        rows={head.keys.map((word, key) => [
          word,
          allowed[key] ? fixed(scores[key], 2) : "−∞",
          allowed[key] ? fixed(weights[key], 4) : "0",
        ])}
      />
    </div>
  );
}

function Sum() {
  const head = shown("encoder");
  const at = asking(head);
  const weights = head.row(at, temperature.value);
  const values = head.toy ? invented.value.map((value) => [value]) : head.values;
  return (
    <Figure name="sum" title="p5_sum" how="p5_sum_how" toy={head.toy}>
      <Switch kind="encoder" />
      <Ask head={head} />
      {values ? (
        <Terms head={head} at={at} weights={weights} values={values} />
      ) : (
        <Text of="p5_no_values" />
      )}
    </Figure>
  );
}

const length = (vector: readonly number[]): number => Math.hypot(...vector);

/** An invented value, which the reader may invent anew. */
const Value = ({ of, word }: { of: number; word: string }) => (
  <NumberField
    label={say("p5_value_of", { word })}
    value={invented.value[of]}
    step={1}
    change={(next) =>
      (invented.value = invented.value.map((old, place) => (place === of ? next : old)))
    }
  />
);

/** Weight times value for every word, then their sum; long values by their lengths. */
function Terms({ head, at, weights, values }: {
  head: Head;
  at: number;
  weights: readonly number[];
  values: readonly (readonly number[])[];
}) {
  const sum = mix(weights, values);
  const shownValue = (vector: readonly number[]) => (head.toy ? vector[0] : length(vector));
  const word = head.queries[at];
  return (
    <>
      <Table
        caption={say("p5_terms")}
        hideCaption
        head={[say("word"), say("weight"), say(head.toy ? "value" : "value_length"), say("product")]}
        rows={head.keys.map((key, place) => {
          const value = shownValue(values[place]);
          return [
            key,
            fixed(weights[place], 2),
            <bdi dir="ltr">
              × {head.toy ? <Value of={place} word={key} /> : fixed(value, 2)}
            </bdi>,
            <bdi dir="ltr">= {fixed(weights[place] * value, head.toy ? 1 : 2)}</bdi>,
          ];
        })}
      />
      <p class="total" dir="ltr">
        <bdi>
          {head.toy
            ? `${weights.map((weight, key) => fixed(weight * values[key][0], 1)).join(" + ")} = ${fixed(sum[0], 2)}`
            : `|Σ w·v| = ${fixed(length(sum), 2)}`}
        </bdi>
      </p>
      <StatusLine
        line={
          head.toy
            ? `${say("p5_total", { total: fixed(sum[0], 2) })} | ${whose(true)} | query = "${word}" | ${say("p5_no_percentage")}`
            : say("p5_total_model", {
                sum: fixed(length(sum), 2),
                word,
                apart: fixed(
                  values.reduce((all, value, key) => all + weights[key] * length(value), 0), 2),
              })
        }
      />
      {!head.toy && <p class="under"><Line of="p5_lengths" /></p>}
    </>
  );
}
