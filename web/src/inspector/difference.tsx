// two tables of the same words -> where the one beside gives more, and where less
import { useLayoutEffect, useRef } from "preact/hooks";
import { useTheme } from "../parts/legend.tsx";
import { fixed } from "../parts/numbers.ts";
import { Behind } from "../parts/table.tsx";
import { say } from "../parts/words.ts";
import type { Trace } from "../trace.ts";
import { axes, headOf, layersOf, signs, temperature } from "./state.ts";
import { grid, type Grid } from "./view.ts";

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, place) => text === b[place]);

function shownOf(trace: Trace): Grid | undefined {
  const head = headOf(trace);
  if (!head) return undefined;
  const [queries, keys] = axes(trace, head.kind);
  return grid(layersOf(trace, head.kind)[head.layer]!, head.head, queries, keys, {
    temperature: temperature.value,
    renormalise: signs.value === "renormalise",
  });
}

/** The weights of the second less those of the first, if they stand on the same words. */
export function difference(first: Grid, second: Grid): Float32Array | undefined {
  const alike =
    same(first.queries.texts, second.queries.texts) && same(first.keys.texts, second.keys.texts);
  return alike ? second.weights.map((weight, cell) => weight - first.weights[cell]!) : undefined;
}

export function Difference({ first, second }: { first: Trace; second: Trace }) {
  const [one, other] = [shownOf(first), shownOf(second)];
  if (!one || !other) return null;
  const less = difference(one, other);
  if (!less) return <p class="hint">{say("other_words")}</p>;
  const most = less.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  return (
    <section class="difference">
      <h2>{say("difference")}</h2>
      <p class="hint">{say("difference_hint", { most: fixed(most, 2) })}</p>
      <Picture less={less} rows={one.queries.texts.length} columns={one.keys.texts.length} />
      {less.length <= 2500 && (
        <Behind
          caption={say("difference")}
          head={["", ...one.keys.texts.map((text) => <bdi>{text}</bdi>)]}
          rows={one.queries.texts.map((text, query) => [
            <bdi>{text}</bdi>,
            ...one.keys.texts.map((_, key) => fixed(less[query * one.keys.texts.length + key]!, 2)),
          ])}
        />
      )}
    </section>
  );
}

/** More is filled and orange, less is hollow and blue: neither needs its colour. */
function Picture({ less, rows, columns }: { less: Float32Array; rows: number; columns: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useTheme();
  const size = Math.min(26, Math.max(3, 400 / Math.max(rows, columns)));
  useLayoutEffect(() => {
    const pen = canvas.current!.getContext("2d")!;
    pen.clearRect(0, 0, canvas.current!.width, canvas.current!.height);
    less.forEach((change, cell) => {
      const x = (cell % columns) * size;
      const y = Math.floor(cell / columns) * size;
      pen.fillStyle = pen.strokeStyle =
        change > 0 ? (theme === "dark" ? "#f0a35e" : "#a8480f") : theme === "dark" ? "#86bdea" : "#1d5c8f";
      // as large as the change, so that the scale is one of area
      const side = size * Math.sqrt(Math.min(1, Math.abs(change)));
      const inset = (size - side) / 2;
      if (change > 0) pen.fillRect(x + inset, y + inset, side, side);
      else if (side > 1) pen.strokeRect(x + inset + 0.5, y + inset + 0.5, side - 1, side - 1);
    });
  }, [less, theme, size, columns]);
  return (
    <canvas
      ref={canvas}
      class="matrix"
      role="img"
      aria-label={say("difference")}
      width={Math.round(size * columns)}
      height={Math.round(size * rows)}
    />
  );
}
