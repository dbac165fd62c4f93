// two rows of words, lines between them -> what one word looked at, or who looked at it
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { fixed } from "../parts/numbers.ts";
import { Tokens } from "../parts/tokens.tsx";
import { say } from "../parts/words.ts";
import { sides, type Kind, type Side, type Trace } from "../trace.ts";
import { choose } from "./state.ts";
import { line, runsLeft, width, type Grid, type Place } from "./view.ts";

interface End {
  x: number;
  top: number;
  bottom: number;
}

interface Props {
  trace: Trace;
  kind: Kind;
  shown: Grid;
  at: Place;
}

export function Sentences({ trace, kind, shown, at }: Props) {
  const weights = line(shown, at);
  const columns = shown.keys.texts.length;
  const other = at.side === "query" ? "key" : "query";
  const under = (side: Place["side"]) =>
    side === other
      ? (place: number) => {
          const cell = at.side === "query" ? at.place * columns + place : place * columns + at.place;
          return shown.allowed[cell] ? short(weights[place]!) : "⊘";
        }
      : undefined;
  return (
    <Between at={at} weights={weights}>
      {(["key", "query"] as const).map((side) => {
        const { texts } = side === "key" ? shown.keys : shown.queries;
        const name = <p class="row-name">{say(rowName(kind, side))}</p>;
        return (
          <div class="row">
            {side === "key" && name}
            <div data-side={side} dir={direction(sides(trace, kind)[side === "key" ? 1 : 0])}>
              <Tokens
                label={say(rowName(kind, side))}
                words={texts}
                chosen={at.side === side ? at.place : -1}
                choose={(place) => choose({ side, place })}
                under={under(side)}
              />
            </div>
            {side === "query" && name}
          </div>
        );
      })}
    </Between>
  );
}

const direction = (side: Side): "rtl" | "ltr" =>
  runsLeft(side.pieces.filter((_, place) => !side.special[place]).join(" ")) ? "rtl" : "ltr";

/** Two digits, none for what rounds to nothing. */
const short = (weight: number): string => (weight < 0.005 ? "·" : fixed(weight, 2));

export const rowName = (kind: Kind, side: Place["side"]) =>
  side === "key"
    ? kind === "decoder" ? "row_so_far" : "row_source"
    : kind === "encoder" ? "row_source_asks" : kind === "decoder" ? "row_so_far_asks" : "row_target";

interface BetweenProps {
  at: Place;
  weights: readonly number[];
  children: preact.ComponentChildren;
}

function Between({ at, weights, children }: BetweenProps) {
  const frame = useRef<HTMLDivElement>(null);
  const ends = useSignal<{ key: End[]; query: End[] }>({ key: [], query: [] });
  useLayoutEffect(() => {
    const measure = () => (ends.value = measured(frame.current!));
    const watcher = new ResizeObserver(measure);
    watcher.observe(frame.current!);
    measure();
    return () => watcher.disconnect();
  }, [children]);
  const { key: keys, query: queries } = ends.value;
  return (
    <div ref={frame} class="between">
      <svg class="lines-drawing" aria-hidden="true">
        {weights.map((weight, place) => {
          const [from, to] =
            at.side === "query" ? [queries[at.place], keys[place]] : [queries[place], keys[at.place]];
          if (!from || !to || weight < 0.005) return null;
          const middle = (from.top + to.bottom) / 2;
          return (
            <path
              class="line"
              data-place={place}
              d={`M${from.x} ${from.top}C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${to.bottom}`}
              stroke-width={width(weight)}
            />
          );
        })}
      </svg>
      {children}
    </div>
  );
}

function measured(frame: HTMLElement): { key: End[]; query: End[] } {
  const origin = frame.getBoundingClientRect();
  const of = (side: string) =>
    Array.from(frame.querySelectorAll<HTMLElement>(`[data-side="${side}"] .token`), (token) => {
      const { left, top, width, bottom } = token.getBoundingClientRect();
      return { x: left - origin.left + width / 2, top: top - origin.top, bottom: bottom - origin.top };
    });
  return { key: of("key"), query: of("query") };
}
