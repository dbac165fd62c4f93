// figure 1 of the paper as a map: each part with what it does, its shapes, and the way to it
import { useSignal } from "@preact/signals";
import { Choice } from "../parts/controls.tsx";
import { PartLink } from "../parts/link.tsx";
import { StatusLine } from "../parts/status.tsx";
import { Behind } from "../parts/table.tsx";
import { Formula, Line } from "../parts/text.tsx";
import { say, type Key } from "../parts/words.ts";
import { Figure } from "./figure.tsx";

const SIZES = {
  base: { d: 512, ff: 2048, h: 8, k: 64, N: 6 },
  big: { d: 1024, ff: 4096, h: 16, k: 64, N: 6 },
} as const;
type Sizes = (typeof SIZES)["base" | "big"];

interface Station {
  name: string;
  title: Key;
  text: Key;
  /** Part and section of the lesson that are about it. */
  way?: readonly [part: number, at: string];
  shape: (sizes: Sizes) => string;
}

const embedded: Station = {
  name: "embedding", title: "map_embedding", text: "map_embedding_text",
  shape: ({ d }) => `n → n × ${d}`,
};
const position: Station = {
  name: "position", title: "map_position", text: "map_position_text", way: [6, "positions"],
  shape: ({ d }) => `n × ${d} + n × ${d}`,
};
const norm: Station = {
  name: "norm", title: "map_norm", text: "map_norm_text", way: [6, "rest"],
  shape: ({ d }) => `LayerNorm(x + Sublayer(x)): n × ${d}`,
};
const feed: Station = {
  name: "feed", title: "map_feed", text: "map_feed_text", way: [6, "rest"],
  shape: ({ d, ff }) => `n × ${d} → n × ${ff} → n × ${d}`,
};
const attention = (
  name: string, title: Key, text: Key, way: [number, string], keys: string,
): Station => ({
  name, title, text, way,
  shape: ({ d, h, k }) => `Q: ${h} × n × ${k}, K, V: ${h} × ${keys} × ${k} → n × ${d}`,
});

/** Each stack from its bottom to its top, as the paper draws it. */
const ENCODER: readonly Station[] = [
  { ...embedded, name: "source" }, position,
  attention("self", "map_self", "map_self_text", [4, "asking"], "n"), norm, feed, norm,
];
const DECODER: readonly Station[] = [
  { ...embedded, name: "target", text: "map_target_text" }, position,
  attention("masked", "map_masked", "map_masked_text", [5, "divide"], "n"), norm,
  attention("cross", "map_cross", "map_cross_text", [1, "bottleneck"], "m"), norm, feed, norm,
];
const OUTPUT: Station = {
  name: "output", title: "map_output", text: "map_output_text",
  shape: ({ d }) => `n × ${d} → n × vocabulary`,
};

export function Plan() {
  const size = useSignal<"base" | "big">("base");
  const chosen = useSignal<Station>(ENCODER[2]);
  const sizes = SIZES[size.value];
  const stop = (station: Station, side: string) => (
    <button type="button" class={`stop stop-${station.name}`} data-stop={`${side}-${station.name}`}
      aria-pressed={chosen.value === station} onClick={() => (chosen.value = station)}>
      {say(station.title)}
    </button>
  );
  const all = [...new Set([...ENCODER, ...DECODER, OUTPUT])];
  return (
    <Figure name="map" title="p6_map" how="p6_map_how">
      <div class="controls">
        <Choice label={say("p6_size")} value={size.value}
          options={[{ value: "base", label: "base" }, { value: "big", label: "big" }]}
          change={(value) => (size.value = value)} />
        <p class="under">
          <Formula>
            {`N = ${sizes.N}, d_model = ${sizes.d}, d_ff = ${sizes.ff}, h = ${sizes.h}, d_k = d_v = ${sizes.k}`}
          </Formula>{" "}
          <Line of="p6_size_source" />
        </p>
      </div>
      <div class="map" dir="ltr">
        <div class="stack">
          <h3 dir="auto">{say("map_encoder")} <bdi class="formula">× {sizes.N}</bdi></h3>
          {ENCODER.map((station) => stop(station, "encoder")).reverse()}
        </div>
        <div class="stack">
          <h3 dir="auto">{say("map_decoder")} <bdi class="formula">× {sizes.N}</bdi></h3>
          {stop(OUTPUT, "decoder")}
          {DECODER.map((station) => stop(station, "decoder")).reverse()}
        </div>
      </div>
      <div class="stop-text">
        <h3>{say(chosen.value.title)}</h3>
        <p><Line of={chosen.value.text} /></p>
        <p><Formula>{chosen.value.shape(sizes)}</Formula></p>
        {chosen.value.way && (
          <p>
            <PartLink part={chosen.value.way[0]} at={chosen.value.way[1]}>
              {say("map_to", { part: chosen.value.way[0] })}
            </PartLink>
          </p>
        )}
      </div>
      <Behind caption={say("map_table", { size: size.value })}
        head={[say("map_stop"), say("map_shape")]}
        rows={all.map((station) => [say(station.title), <Formula>{station.shape(sizes)}</Formula>])} />
      <StatusLine line={`${say(chosen.value.title)} | ${size.value} | ${chosen.value.shape(sizes)}`} />
    </Figure>
  );
}
