// n, d, k, r -> Table 1 of the paper with numbers in it, and where its rows cross
import { useSignal } from "@preact/signals";
import { Slider } from "../parts/controls.tsx";
import { StatusLine } from "../parts/status.tsx";
import { Table } from "../parts/table.tsx";
import { fixed, grouped } from "../parts/numbers.ts";
import { Formula } from "../parts/text.tsx";
import { say } from "../parts/words.ts";
import { Figure } from "./figure.tsx";

interface Sizes {
  n: number;
  d: number;
  k: number;
  r: number;
}

/** The rows of Table 1: work, steps and path, without the constants that O hides. */
export const LAYERS = [
  {
    name: "t1_self", work: "n²·d", steps: "1", path: "1",
    count: ({ n, d }: Sizes) => [n * n * d, 1, 1],
  },
  {
    name: "t1_recurrent", work: "n·d²", steps: "n", path: "n",
    count: ({ n, d }: Sizes) => [n * d * d, n, n],
  },
  {
    name: "t1_convolution", work: "k·n·d²", steps: "1", path: "log_k(n)",
    count: ({ n, d, k }: Sizes) => [k * n * d * d, 1, Math.log(n) / Math.log(k)],
  },
  {
    name: "t1_restricted", work: "r·n·d", steps: "1", path: "n/r",
    count: ({ n, d, r }: Sizes) => [r * n * d, 1, n / r],
  },
] as const;

const LENGTHS = [1, 2, 3, 5, 7, 10, 20, 30, 50, 70, 100, 128, 200, 256, 300, 400, 512, 700, 1024,
  1500, 2048, 3000, 4096];
const WIDTHS = [16, 32, 64, 128, 256, 512, 1024, 2048];

export function Growth() {
  const n = useSignal(5);
  const d = useSignal(512);
  const k = useSignal(3);
  const r = useSignal(5);
  const sizes = { n: n.value, d: d.value, k: k.value, r: r.value };
  const [self, recurrent] = LAYERS.map((layer) => layer.count(sizes)[0]);
  const sign = sizes.n < sizes.d ? "<" : sizes.n > sizes.d ? ">" : "=";
  const order = (formula: string) => <Formula>{`O(${formula})`}</Formula>;
  const number = (value: number) => (Number.isInteger(value) ? grouped(value) : fixed(value, 1));
  return (
    <Figure name="growth" title="t1_figure" how="t1_how">
      <div class="controls">
        <Pick label={say("t1_n")} name="n" from={LENGTHS} of={n} />
        <Pick label={say("t1_d")} name="d" from={WIDTHS} of={d} />
        <Slider label={say("t1_k")} value={k.value} min={2} max={9} text={`k = ${k.value}`}
          change={(value) => (k.value = value)} />
        <Slider label={say("t1_r")} value={r.value} min={1} max={50} text={`r = ${r.value}`}
          change={(value) => (r.value = value)} />
      </div>
      <Chart sizes={sizes} />
      <Table
        caption={say("t1_caption")}
        head={[say("t1_layer"), say("t1_work"), say("t1_work_here"), say("t1_steps"), say("t1_path")]}
        rows={LAYERS.map((layer) => {
          const [work, steps, path] = layer.count(sizes);
          return [
            say(layer.name), order(layer.work), number(work),
            <bdi dir="ltr">{order(layer.steps)}: {number(steps)}</bdi>,
            <bdi dir="ltr">{order(layer.path)}: {number(path)}</bdi>,
          ];
        })}
      />
      <StatusLine
        line={say("t1_status", {
          n: sizes.n, d: sizes.d, sign, self: grouped(self), recurrent: grouped(recurrent),
          times: fixed(Math.max(self, recurrent) / Math.min(self, recurrent), 1),
        })}
      />
    </Figure>
  );
}

/** A slider over numbers that grow faster than a line. */
function Pick({ label, name, from, of }: {
  label: string;
  name: string;
  from: readonly number[];
  of: { value: number };
}) {
  return (
    <Slider label={label} value={from.indexOf(of.value)} min={0} max={from.length - 1}
      text={`${name} = ${of.value}`} change={(place) => (of.value = from[place])} />
  );
}

const WIDE = 560;
const HIGH = 240;
const [LEFT, TOP, RIGHT, BOTTOM] = [12, 12, WIDE - 12, HIGH - 34];

/** Work against length, both by powers of ten; left to right in every language, as formulas are. */
function Chart({ sizes }: { sizes: Sizes }) {
  const longest = LENGTHS[LENGTHS.length - 1];
  const least = Math.log(16);
  const most = Math.log(9 * longest * 2048 ** 2);
  const x = (n: number) => LEFT + (Math.log(n) / Math.log(longest)) * (RIGHT - LEFT);
  const y = (work: number) => BOTTOM - ((Math.log(work) - least) / (most - least)) * (BOTTOM - TOP);
  const at = (layer: (typeof LAYERS)[number], n: number) => layer.count({ ...sizes, n })[0];
  return (
    <div class="chart" dir="ltr">
      <svg viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={say("t1_chart", { d: sizes.d })}>
        <path class="axis" d={`M${LEFT} ${TOP}V${BOTTOM}H${RIGHT}`} />
        <path class="crossing" d={`M${x(sizes.d)} ${TOP}V${BOTTOM}`} />
        <text x={x(sizes.d)} y={BOTTOM + 18} text-anchor="middle">n = d</text>
        {LAYERS.map((layer, place) => (
          <path class={`curve curve-${place}`} d={LENGTHS.map((n, step) =>
            `${step ? "L" : "M"}${x(n).toFixed(1)} ${y(at(layer, n)).toFixed(1)}`).join("")} />
        ))}
        {LAYERS.map((layer, place) => (
          <circle class={`dot curve-${place}`} r={5} cx={x(sizes.n)} cy={y(at(layer, sizes.n))} />
        ))}
      </svg>
      <ul class="keys" aria-hidden="true">
        {LAYERS.map((layer, place) => (
          <li>
            <svg width="36" height="12"><path class={`curve curve-${place}`} d="M1 6H35" /></svg>
            <Formula>{layer.work}</Formula>
          </li>
        ))}
      </ul>
    </div>
  );
}
