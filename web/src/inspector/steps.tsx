// the steps of the search -> what each weighed, and what became of it
import { Slider } from "../parts/controls.tsx";
import { fixed } from "../parts/numbers.ts";
import { Table } from "../parts/table.tsx";
import { address, go } from "../parts/address.ts";
import { say, type Key } from "../parts/words.ts";
import type { Fate, Trace } from "../trace.ts";

const FATES: Record<Fate, Key> = {
  "goes on": "fate_on",
  ended: "fate_ended",
  rejected: "fate_rejected",
};

export function Steps({ trace }: { trace: Trace }) {
  if (!trace.steps.length) return null;
  const asked = Number(address.value.step ?? 1);
  const step = Math.min(Math.max(1, Number.isFinite(asked) ? Math.round(asked) : 1), trace.steps.length);
  return (
    <details class="behind steps" open={address.value.step !== undefined}>
      <summary>{say("steps")}</summary>
      <p class="hint">{say("steps_hint")}</p>
      <Slider
        label={say("step")}
        value={step}
        min={1}
        max={trace.steps.length}
        text={say("step_of", { step, steps: trace.steps.length })}
        change={(value) => go({ step: String(value) })}
      />
      <Table
        caption={say("step_of", { step, steps: trace.steps.length })}
        hideCaption
        head={[say("hypothesis"), say("log_prob"), say("fate")]}
        rows={trace.steps[step - 1]!.map((candidate) => [
          <bdi class={candidate.fate === "rejected" ? "rejected" : undefined}>
            {candidate.text || candidate.piece}
          </bdi>,
          fixed(candidate.log_prob, 2),
          say(FATES[candidate.fate]),
        ])}
      />
    </details>
  );
}
