// all layers and heads of a kind -> small pictures, by place or by what they do; arrows move
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { useTheme } from "../parts/legend.tsx";
import { percent } from "../parts/numbers.ts";
import { colour } from "../parts/scale.ts";
import { direction, say, type Key } from "../parts/words.ts";
import type { Kind, Measures, Trace } from "../trace.ts";
import { layersOf, look, measuresOf, ranked, signs, sorted, type HeadPlace } from "./state.ts";
import { grid, type Axis, type Grid } from "./view.ts";

export const doing = (measures: Measures): string => say(`does_${measures.label}` as Key);

/** What a head is called. */
export const nameOf = (at: HeadPlace): string =>
  say("head_name", { kind: say(`kind_${at.kind}`), layer: at.layer + 1, head: at.head + 1 });

interface Props {
  trace: Trace;
  kind: Kind;
  at: HeadPlace;
  queries: Axis;
  keys: Axis;
}

export function Heads({ trace, kind, at, queries, keys }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const layers = layersOf(trace, kind);
  const inPlace = layers.map((attended, layer) =>
    attended.measures.map((_, head): HeadPlace => ({ kind, layer, head })),
  );
  const rows = sorted.value ? [ranked(trace, kind)] : inPlace;
  const press = (event: KeyboardEvent) => {
    const to = neighbour(event.key, rows, at);
    if (!to) return;
    event.preventDefault();
    look(to);
    const name = `${to.layer}.${to.head}`;
    frame.current?.querySelector<HTMLElement>(`[data-head="${name}"]`)?.focus();
  };
  return (
    <div ref={frame} class="heads" role="group" aria-label={say("heads")} onKeyDown={press}>
      {rows.map((row, layer) => (
        <div class={sorted.value ? "heads-sorted" : "heads-row"}>
          {!sorted.value && <span class="heads-layer">{say("layer_number", { layer: layer + 1 })}</span>}
          {row.map((head) => (
            <Small
              key={`${head.layer}.${head.head}`}
              trace={trace}
              head={head}
              queries={queries}
              keys={keys}
              pressed={head.layer === at.layer && head.head === at.head}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

/** The head that an arrow leads to. */
export function neighbour(
  key: string,
  rows: readonly (readonly HeadPlace[])[],
  at: HeadPlace,
): HeadPlace | undefined {
  const row = rows.findIndex((heads) => heads.some((h) => h.layer === at.layer && h.head === at.head));
  const column = rows[row]?.findIndex((h) => h.layer === at.layer && h.head === at.head) ?? -1;
  const rtl = direction.value === "rtl";
  if (key === (rtl ? "ArrowLeft" : "ArrowRight")) return rows[row]?.[column + 1];
  if (key === (rtl ? "ArrowRight" : "ArrowLeft")) return rows[row]?.[column - 1];
  if (key === "ArrowDown") return rows[row + 1]?.[column];
  if (key === "ArrowUp") return rows[row - 1]?.[column];
  if (key === "Home") return rows[0]?.[0];
  if (key === "End") return rows.at(-1)?.at(-1);
  return undefined;
}

interface OfOne {
  trace: Trace;
  head: HeadPlace;
  queries: Axis;
  keys: Axis;
}

function Small({ pressed, ...of }: OfOne & { pressed: boolean }) {
  const { trace, head } = of;
  const measures = measuresOf(trace, head);
  return (
    <button
      type="button"
      class="small-head"
      data-head={`${head.layer}.${head.head}`}
      aria-pressed={pressed}
      tabIndex={pressed ? 0 : -1}
      onClick={() => look(head)}
    >
      <Picture {...of} />
      <span class="unseen">{nameOf(head)}:</span>
      <span class="small-name" aria-hidden="true">
        {say("head_short", { layer: head.layer + 1, head: head.head + 1 })}
      </span>
      <span class="small-doing">{doing(measures)}</span>
      <span class="unseen">
        {say("sharpness")} {percent(measures.sharpness)}
      </span>
    </button>
  );
}

function Picture({ trace, head, queries, keys }: OfOne) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useTheme();
  const attended = layersOf(trace, head.kind)[head.layer]!;
  const sums = signs.value === "renormalise";
  const shown = useMemo(
    () => grid(attended, head.head, queries, keys, { renormalise: sums }),
    [attended, head.head, queries, keys, sums],
  );
  useLayoutEffect(() => paint(canvas.current!, shown, theme), [shown, theme]);
  return <canvas ref={canvas} class="small-picture" aria-hidden="true" />;
}

/** One pixel a weight; what is forbidden is a weave of grey. */
function paint(canvas: HTMLCanvasElement, shown: Grid, theme: "light" | "dark"): void {
  const rows = shown.queries.texts.length;
  const columns = shown.keys.texts.length;
  if (!rows || !columns) return;
  // at least four pixels a weight, so that the weave is one
  const scale = Math.max(1, Math.ceil(64 / Math.max(rows, columns)));
  canvas.width = columns * scale;
  canvas.height = rows * scale;
  const pen = canvas.getContext("2d")!;
  const image = pen.createImageData(columns * scale, rows * scale);
  const grey = theme === "dark" ? [94, 104, 114] : [196, 198, 200];
  const none = colour(0, theme);
  for (let y = 0; y < rows * scale; y++)
    for (let x = 0; x < columns * scale; x++) {
      const cell = Math.floor(y / scale) * columns + Math.floor(x / scale);
      const ink = shown.allowed[cell]
        ? colour(shown.weights[cell]!, theme)
        : (x + y) % 4 === 0 ? grey : none;
      const at = (y * columns * scale + x) * 4;
      image.data[at] = ink[0]!;
      image.data[at + 1] = ink[1]!;
      image.data[at + 2] = ink[2]!;
      image.data[at + 3] = 255;
    }
  pen.putImageData(image, 0, 0);
}
