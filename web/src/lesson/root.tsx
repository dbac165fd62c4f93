// d_k -> how far products spread, and how a softmax gets stuck: why the square root (3.2.1)
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { softmax } from "../parts/arithmetic.ts";
import { Slider } from "../parts/controls.tsx";
import { fixed, percent } from "../parts/numbers.ts";
import { StatusLine } from "../parts/status.tsx";
import { Behind, Table } from "../parts/table.tsx";
import { Formula } from "../parts/text.tsx";
import { say } from "../parts/words.ts";
import { Bar, Figure } from "./figure.tsx";
import { PRODUCTS, normals } from "./toy.ts";

const PAIRS = 500;

/** Products of random queries and keys whose numbers are independent, of mean 0 and variance 1. */
export function products(size: number): number[] {
  const next = normals(size);
  return Array.from({ length: PAIRS }, () => {
    let sum = 0;
    for (let place = 0; place < size; place++) sum += next() * next();
    return sum;
  });
}

const spread = (values: readonly number[]): number => {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
};

export function Root() {
  const power = useSignal(6);
  const size = 2 ** power.value;
  const root = Math.sqrt(size);
  const drawn = useMemo(() => products(size), [size]);
  const raw = softmax(PRODUCTS.map((product) => product * root));
  const scaled = softmax(PRODUCTS);
  const most = raw.indexOf(Math.max(...raw));
  return (
    <Figure name="root" title="p2_root_figure" how="p2_root_how" toy>
      <div class="controls">
        <Slider label={say("p2_d_k")} value={power.value} min={0} max={9} text={`d_k = ${size}`}
          change={(value) => (power.value = value)} />
      </div>
      <div class="sides">
        <Spread title={say("p2_raw")} values={drawn} />
        <Spread title={say("p2_divided", { root: fixed(root, 2) })}
          values={drawn.map((value) => value / root)} />
      </div>
      <Table
        caption={say("p2_spread_table", { pairs: PAIRS })}
        head={[say("p2_spread"), say("p2_raw"), say("p2_divided", { root: fixed(root, 2) })]}
        rows={[
          [say("p2_expected"), `√${size} = ${fixed(root, 2)}`, "1.00"],
          [say("p2_drawn"), fixed(spread(drawn), 2), fixed(spread(drawn) / root, 2)],
        ]}
      />
      <h3>{say("p2_stuck")}</h3>
      <div class="sides">
        <Shares title={say("p2_raw")} shares={raw} />
        <Shares title={say("p2_divided", { root: fixed(root, 2) })} shares={scaled} />
      </div>
      <Behind
        caption={say("p2_stuck_table")}
        head={[say("key"), <Formula>q·k</Formula>, say("p2_raw"),
          <Formula>q·k / √d_k</Formula>, say("p2_divided", { root: fixed(root, 2) })]}
        rows={PRODUCTS.map((product, key) => [
          key + 1, <bdi dir="ltr">{fixed(product * root, 2)}</bdi>, fixed(raw[key], 4),
          <bdi dir="ltr">{fixed(product, 2)}</bdi>, fixed(scaled[key], 4),
        ])}
      />
      <StatusLine
        line={say("p2_root_status", {
          size, root: fixed(root, 2), raw: percent(raw[most]), scaled: percent(scaled[most]),
          stuck: fixed(raw[most] * (1 - raw[most]), 4),
          free: fixed(scaled[most] * (1 - scaled[most]), 4),
        })}
      />
    </Figure>
  );
}

const EDGE = 48;
const BINS = 49;

/** How many products fall where, from −48 to 48, both pictures on one scale from side to side. */
function Spread({ title, values }: { title: string; values: readonly number[] }) {
  const counts = new Array<number>(BINS).fill(0);
  for (const value of values) {
    const bin = Math.round(((value + EDGE) / (2 * EDGE)) * (BINS - 1));
    counts[Math.min(BINS - 1, Math.max(0, bin))] += 1;
  }
  const tallest = Math.max(...counts);
  const wide = 300 / BINS;
  return (
    <div dir="ltr">
      <h3 dir="auto">{title}</h3>
      <svg class="spread" viewBox="0 0 300 118" role="img"
        aria-label={say("p2_histogram", { title, spread: fixed(spread(values), 2) })}>
        {counts.map((count, bin) => {
          const high = (92 * count) / tallest;
          return <rect class="bar-fill" x={bin * wide + 0.5} y={94 - high} width={wide - 1} height={high} />;
        })}
        <path class="axis" d="M0 95H300" />
        {[-40, -20, 0, 20, 40].map((value) => (
          <text x={((value + EDGE) / (2 * EDGE)) * (300 - wide) + wide / 2} y={112} text-anchor="middle">
            {fixed(value, 0)}
          </text>
        ))}
      </svg>
    </div>
  );
}

const Shares = ({ title, shares }: { title: string; shares: readonly number[] }) => (
  <ul class="bars" aria-label={title}>
    {shares.map((share, key) => (
      <li>
        <bdi class="bars-word">{say("p2_key_n", { place: key + 1 })}</bdi>
        <Bar share={share} text={percent(share)} />
      </li>
    ))}
  </ul>
);
