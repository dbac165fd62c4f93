// one query's weights -> lines from its word to every word, the loop to itself included
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { thickness } from "./scale.ts";

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface LinesProps {
  /** Place of the word that asks, among the buttons with `data-place` inside. */
  query: number;
  weights: readonly number[];
  allowed?: readonly boolean[];
  children: ComponentChildren;
}

/** Draws under its children, which are words somewhere in it: see `Tokens`. */
export function Lines({ query, weights, allowed, children }: LinesProps) {
  const frame = useRef<HTMLDivElement>(null);
  const boxes = useSignal<Box[]>([]);
  useLayoutEffect(() => {
    const measure = () => (boxes.value = placesIn(frame.current!));
    const watcher = new ResizeObserver(measure);
    watcher.observe(frame.current!);
    measure();
    return () => watcher.disconnect();
  }, [weights.length, children]);
  const from = boxes.value[query];
  return (
    <div ref={frame} class="lines">
      <svg class="lines-drawing" aria-hidden="true">
        {from &&
          weights.map((weight, key) => {
            const to = boxes.value[key];
            if (!to || (allowed && !allowed[key])) return null;
            return (
              <path
                class={key === query ? "line line-self" : "line"}
                data-key={key}
                d={key === query ? loop(from, thickness(weight)) : straight(from, to)}
                stroke-width={thickness(weight)}
              />
            );
          })}
      </svg>
      {children}
    </div>
  );
}

function placesIn(frame: HTMLElement): Box[] {
  const origin = frame.getBoundingClientRect();
  const found: Box[] = [];
  for (const button of frame.querySelectorAll<HTMLElement>("[data-place]")) {
    const { left, top, width, height } = button.getBoundingClientRect();
    found[Number(button.dataset.place)] = {
      x: left - origin.left + width / 2,
      y: top - origin.top + height / 2,
      width,
      height,
    };
  }
  return found;
}

const straight = (from: Box, to: Box): string => `M${from.x} ${from.y}L${to.x} ${to.y}`;

/** A loop above the word, the larger the thicker, so that it stays one. */
function loop({ x, y, width, height }: Box, thick: number): string {
  const foot = y - height / 2 + 6;
  const wide = Math.max(26, width / 2) + thick;
  const top = foot - 54 - thick;
  return `M${x - wide / 2} ${foot}C${x - wide} ${top} ${x + wide} ${top} ${x + wide / 2} ${foot}`;
}
