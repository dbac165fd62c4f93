// positions -> sinusoids; PE(pos + k) as PE(pos), each pair of numbers turned (3.5 of the paper)
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Slider } from "../parts/controls.tsx";
import { useTheme } from "../parts/legend.tsx";
import { fixed } from "../parts/numbers.ts";
import { StatusLine } from "../parts/status.tsx";
import { Behind } from "../parts/table.tsx";
import { Formula } from "../parts/text.tsx";
import { say } from "../parts/words.ts";
import { Figure } from "./figure.tsx";

const WIDTH = 32;
const PLACES = 48;

/** How far pair `i` turns from one position to the next. */
export const turn = (i: number, width = WIDTH): number => 10000 ** ((-2 * i) / width);

/** Numbers 2i and 2i + 1 of a position: sine and cosine. */
export const pair = (position: number, i: number): [number, number] => [
  Math.sin(position * turn(i)),
  Math.cos(position * turn(i)),
];

/** A pair, turned by an angle. */
export const turned = ([sine, cosine]: [number, number], angle: number): [number, number] => [
  sine * Math.cos(angle) + cosine * Math.sin(angle),
  cosine * Math.cos(angle) - sine * Math.sin(angle),
];

export function Positions() {
  const position = useSignal(5);
  const k = useSignal(3);
  const i = useSignal(2);
  const from = pair(position.value, i.value);
  const to = pair(position.value + k.value, i.value);
  const by = turned(from, k.value * turn(i.value));
  const show = ([sine, cosine]: [number, number]) => `[${fixed(sine, 3)}; ${fixed(cosine, 3)}]`;
  return (
    <Figure name="positions" title="p6_sinusoids" how="p6_sinusoids_how">
      <div class="controls">
        <Slider label={say("p6_position")} value={position.value} min={0} max={30}
          text={`pos = ${position.value}`} change={(value) => (position.value = value)} />
        <Slider label={say("p6_k")} value={k.value} min={0} max={15} text={`k = ${k.value}`}
          change={(value) => (k.value = value)} />
        <Slider label={say("p6_i")} value={i.value} min={0} max={WIDTH / 2 - 1} text={`i = ${i.value}`}
          change={(value) => (i.value = value)} />
      </div>
      <div class="sides sides-picture">
        <div dir="ltr">
          <Waves position={position.value} second={position.value + k.value} i={i.value} />
          <p class="under" dir="auto">{say("p6_waves_under")}</p>
        </div>
        <Circle from={from} to={to} label={say("p6_circle", { k: k.value })} />
      </div>
      <Behind
        caption={say("p6_pairs_table", { position: position.value, k: k.value })}
        head={["i", "PE(pos)", "PE(pos + k)", say("p6_turned")]}
        rows={[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].map((at) => [
          at,
          <bdi dir="ltr">{show(pair(position.value, at))}</bdi>,
          <bdi dir="ltr">{show(pair(position.value + k.value, at))}</bdi>,
          <bdi dir="ltr">{show(turned(pair(position.value, at), k.value * turn(at)))}</bdi>,
        ])}
        marked={i.value}
      />
      <StatusLine
        line={`PE(${position.value}) = ${show(from)} | PE(${position.value + k.value}) = ${show(to)} | ${say("p6_turn_status",
          { angle: fixed(k.value * turn(i.value), 3), found: show(by) })}`}
      />
    </Figure>
  );
}

/** Positions downwards, numbers to the right: blue below zero, orange above, white at zero. */
function Waves({ position, second, i }: { position: number; second: number; i: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useTheme();
  useLayoutEffect(() => {
    const cell = 8;
    const pen = canvas.current!.getContext("2d")!;
    for (let row = 0; row < PLACES; row++)
      for (let column = 0; column < WIDTH; column++) {
        pen.fillStyle = tint(pair(row, column >> 1)[column % 2], theme);
        pen.fillRect(column * cell, row * cell, cell, cell);
      }
    pen.strokeStyle = theme === "dark" ? "#ffffff" : "#000000";
    pen.lineWidth = 2;
    for (const row of [position, second]) pen.strokeRect(1, row * cell, WIDTH * cell - 2, cell);
    pen.strokeRect(2 * i * cell, 1, 2 * cell, PLACES * cell - 2);
  }, [position, second, i, theme]);
  return (
    <canvas ref={canvas} class="matrix waves" width={WIDTH * 8} height={PLACES * 8} role="img"
      aria-label={say("p6_waves", { places: PLACES, width: WIDTH })} />
  );
}

/** Minus one to one: blue, paper, orange; the ends differ in lightness too. */
function tint(value: number, theme: "light" | "dark"): string {
  const [below, middle, above] = theme === "dark"
    ? [[60, 130, 190], [26, 32, 39], [250, 190, 120]]
    : [[20, 66, 118], [250, 249, 245], [226, 138, 62]];
  const end = value < 0 ? below : above;
  const mixed = middle.map((part, at) => Math.round(part + Math.abs(value) * (end[at] - part)));
  return `rgb(${mixed.join(" ")})`;
}

function Circle({ from, to, label }: { from: [number, number]; to: [number, number]; label: string }) {
  const x = (point: [number, number]) => 100 + 76 * point[1];
  const y = (point: [number, number]) => 100 - 76 * point[0];
  return (
    <div dir="ltr">
      <svg class="circle" viewBox="0 0 200 200" role="img" aria-label={label}>
        <circle class="axis" cx="100" cy="100" r="76" />
        <path class="axis" d="M10 100H190M100 10V190" />
        <path class="curve curve-0" d={`M100 100L${x(from)} ${y(from)}`} />
        <path class="curve curve-1" d={`M100 100L${x(to)} ${y(to)}`} />
        <circle class="dot curve-0" r="5" cx={x(from)} cy={y(from)} />
        <circle class="dot curve-1" r="5" cx={x(to)} cy={y(to)} />
      </svg>
      <ul class="keys">
        <li><svg width="36" height="12" aria-hidden="true"><path class="curve curve-0" d="M1 6H35" /></svg>
          <Formula>PE(pos)</Formula></li>
        <li><svg width="36" height="12" aria-hidden="true"><path class="curve curve-1" d="M1 6H35" /></svg>
          <Formula>PE(pos + k)</Formula></li>
      </ul>
    </div>
  );
}
