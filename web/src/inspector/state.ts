// the address -> what is looked at, and how; a link is exactly this view
import { computed, signal } from "@preact/signals";
import { address, go } from "../parts/address.ts";
import { sides, type Attended, type Kind, type Trace } from "../trace.ts";
import { axis, type Axis, type Place, type Signs, type Unit } from "./view.ts";

/** Recorded traces; after them the one that the server last gave. */
export const recorded = signal<Trace[]>([]);
export const answered = signal<Trace | undefined>();
export const traces = computed<Trace[]>(() =>
  answered.value ? [...recorded.value, answered.value] : recorded.value,
);

/** A head by its place. */
export interface HeadPlace {
  kind: Kind;
  layer: number;
  head: number;
}

export const KINDS: readonly Kind[] = ["cross", "encoder", "decoder"];

const number = (name: string, most: number, otherwise: number): number => {
  const given = Number.parseInt(address.value[name] ?? "", 10);
  return given >= 1 && given <= most ? given - 1 : otherwise;
};

/** The first trace shown: the newest answer, unless the address says which. */
export const first = computed<Trace | undefined>(
  () => traces.value[number("trace", traces.value.length, answered.value ? recorded.value.length : 0)],
);
export const second = computed<Trace | undefined>(
  () => traces.value[number("beside", traces.value.length, -1)],
);

export const layersOf = (trace: Trace, kind: Kind): Attended[] =>
  trace.attentions.filter((attended) => attended.kind === kind);

/** Without a word in the address: the sharpest head from target to source. */
function sharpest(trace: Trace): HeadPlace | undefined {
  const kind = KINDS.find((kind) => layersOf(trace, kind).length);
  if (!kind) return undefined;
  const heads = ranked(trace, kind);
  return heads.reduce((a, b) => (measuresOf(trace, b).sharpness > measuresOf(trace, a).sharpness ? b : a));
}

export const measuresOf = (trace: Trace, at: HeadPlace) =>
  layersOf(trace, at.kind)[at.layer]!.measures[at.head]!;

const ORDER = ["previous", "own", "next", "sharp", "spread", "signs"];

/** Heads of a kind: those that do alike side by side, the sharpest first. */
export function ranked(trace: Trace, kind: Kind): HeadPlace[] {
  const heads = layersOf(trace, kind).flatMap((attended, layer) =>
    attended.measures.map((_, head) => ({ kind, layer, head })),
  );
  const rank = (at: HeadPlace) => ORDER.indexOf(measuresOf(trace, at).label);
  return heads.sort(
    (a, b) => rank(a) - rank(b) || measuresOf(trace, b).sharpness - measuresOf(trace, a).sharpness,
  );
}

/** The head that is looked at in this trace. */
export function headOf(trace: Trace): HeadPlace | undefined {
  const best = sharpest(first.value ?? trace);
  if (!best) return undefined;
  const kind = KINDS.find((kind) => kind === address.value.kind) ?? best.kind;
  const layers = layersOf(trace, kind);
  if (!layers.length) return sharpest(trace);
  const same = kind === best.kind;
  const layer = Math.min(number("layer", layers.length, same ? best.layer : 0), layers.length - 1);
  const heads = layers[layer]!.heads;
  return { kind, layer, head: Math.min(number("head", heads, same ? best.head : 0), heads - 1) };
}

export const unit = computed<Unit>(() => (address.value.unit === "pieces" ? "pieces" : "words"));
export const signs = computed<Signs>(() => {
  const given = address.value.signs;
  return given === "hide" || given === "renormalise" ? given : "keep";
});
export const sorted = computed(() => address.value.order === "sorted");
export const temperature = computed(() => {
  const given = Number.parseFloat(address.value.temperature ?? "");
  return given >= 0.1 && given <= 3 ? given : 1;
});

/** What stands along the table of a kind. */
export function axes(trace: Trace, kind: Kind): [queries: Axis, keys: Axis] {
  const [queries, keys] = sides(trace, kind);
  return [axis(queries, unit.value, signs.value), axis(keys, unit.value, signs.value)];
}

/** The chosen word; the first that asks, if the address names none. */
export function chosen(queries: Axis, keys: Axis): Place {
  const [, side, given] = /^([qk])(\d+)$/.exec(address.value.word ?? "") ?? [];
  const place = Number(given ?? 1) - 1;
  const length = (side === "k" ? keys : queries).texts.length;
  return { side: side === "k" ? "key" : "query", place: Math.max(0, Math.min(place, length - 1)) };
}

export const look = (at: HeadPlace): void =>
  go({ kind: at.kind, layer: String(at.layer + 1), head: String(at.head + 1) });

export const choose = (at: Place): void =>
  go({ word: `${at.side === "query" ? "q" : "k"}${at.place + 1}` });
