// toy numbers | your model: the switch, and which head of it
import { signal } from "@preact/signals";
import { Choice, Slider } from "../parts/controls.tsx";
import { say } from "../parts/words.ts";
import type { Kind } from "../trace.ts";
import { asked, layers, modelHead, toyHead, type Head } from "./heads.ts";

/** Layer and head of the model that the figures show; one choice for all figures of a part. */
export const layer = signal(0);
export const head = signal(0);

/** Whether a figure of this kind shows the model just now. */
export const showsModel = (kind: Kind): boolean =>
  asked.value === "model" && layers(kind).length > 0;

/** What a figure shows: the toy, or the chosen head. */
export function shown(kind: Kind, causal = false): Head {
  if (!showsModel(kind)) return toyHead(causal);
  const attended = layers(kind)[Math.min(layer.value, layers(kind).length - 1)];
  const place = layers(kind).indexOf(attended);
  return modelHead(kind, place, Math.min(head.value, attended.heads - 1)) ?? toyHead(causal);
}

/** Nothing where the page brought no trace that could fill the figure. */
export function Switch({ kind, heads = true }: { kind: Kind; heads?: boolean }) {
  if (!layers(kind).length) return null;
  const chosen = layers(kind)[Math.min(layer.value, layers(kind).length - 1)];
  return (
    <div class="controls switch">
      <Choice
        label={say("numbers_of")}
        value={asked.value}
        options={[
          { value: "toy", label: say("toy_numbers") },
          { value: "model", label: say("your_model") },
        ]}
        change={(value) => (asked.value = value)}
      />
      {asked.value === "model" && (
        <Slider
          label={say("layer")}
          value={layers(kind).indexOf(chosen) + 1}
          min={1}
          max={layers(kind).length}
          change={(value) => (layer.value = value - 1)}
        />
      )}
      {asked.value === "model" && heads && (
        <Slider
          label={say("head")}
          value={Math.min(head.value, chosen.heads - 1) + 1}
          min={1}
          max={chosen.heads}
          change={(value) => (head.value = value - 1)}
        />
      )}
    </div>
  );
}

/** Invented or not: said wherever numbers are shown. */
export const whose = (toy: boolean): string => say(toy ? "example" : "of_your_model");
