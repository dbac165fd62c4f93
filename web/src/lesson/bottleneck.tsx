// part 1: from the bottleneck to attention: an encoder-decoder, step by step
import { useSignal } from "@preact/signals";
import { dot, mix, softmax, strongest } from "../parts/arithmetic.ts";
import { Choice, NumberField, Slider, Toggle } from "../parts/controls.tsx";
import { Lines } from "../parts/lines.tsx";
import { fixed, percent } from "../parts/numbers.ts";
import { StatusLine } from "../parts/status.tsx";
import { Table } from "../parts/table.tsx";
import { Caveat, Line, Text } from "../parts/text.tsx";
import { say, type Key } from "../parts/words.ts";
import { Bar, Figure } from "./figure.tsx";
import { DECODED, ENCODED, FED, SOURCE, TARGET } from "./toy.ts";

type Matrix = readonly (readonly number[])[];

const STAGES: readonly Key[] = ["p1_states", "p1_scores", "p1_shares", "p1_context", "p1_joined"];

export function Bottleneck() {
  return (
    <>
      <Text of="p1_lead" />
      <Text of="p1_gains" />
      <Steps />
      <Caveat of="p1_not" />
      <Text of="p1_shapes" />
      <Text of="p1_variants" />
    </>
  );
}

/** Contexts of all steps; with feeding, each state has a part of the context before it added. */
export function contexts(encoded: Matrix, decoded: Matrix, feeding: boolean) {
  const steps: { state: number[]; scores: number[]; shares: number[]; context: number[] }[] = [];
  for (const given of decoded) {
    const before = feeding ? steps[steps.length - 1]?.context : undefined;
    const state = given.map((value, place) => value + (before ? FED * before[place] : 0));
    const scores = encoded.map((key) => dot(state, key));
    const shares = softmax(scores);
    steps.push({ state, scores, shares, context: mix(shares, encoded) });
  }
  return steps;
}

export const list = (vector: readonly number[], digits = 2): string =>
  `[${vector.map((value) => fixed(value, digits)).join("; ")}]`;

function Steps() {
  const encoded = useSignal(ENCODED);
  const decoded = useSignal(DECODED);
  const way = useSignal<"last" | "attention">("attention");
  const step = useSignal(2);
  const stage = useSignal(STAGES.length);
  const feeding = useSignal(false);
  const attends = way.value === "attention";
  const now = contexts(encoded.value, decoded.value, feeding.value)[step.value - 1];
  const word = TARGET[step.value - 1];
  const upTo = attends ? stage.value : 1;
  return (
    <Figure name="bottleneck" title="p1_figure" how="p1_how" toy>
      <div class="controls">
        <Choice
          label={say("p1_way")}
          value={way.value}
          options={[
            { value: "last", label: say("p1_last") },
            { value: "attention", label: say("p1_attention") },
          ]}
          change={(value) => (way.value = value)}
        />
        <Slider label={say("p1_step")} value={step.value} min={1} max={TARGET.length}
          text={`${step.value}: ${word}`} change={(value) => (step.value = value)} />
        {attends && (
          <Slider label={say("p1_stage")} value={stage.value} min={1} max={STAGES.length}
            text={`${stage.value}. ${say(STAGES[stage.value - 1])}`}
            change={(value) => (stage.value = value)} />
        )}
        {attends && (
          <Toggle on={feeding.value} change={(on) => (feeding.value = on)}>
            {say("p1_feeding")}
          </Toggle>
        )}
      </div>
      <Bridge shares={attends ? now.shares : SOURCE.map((_, place) => Number(place === LAST))}
        drawn={!attends || upTo >= 3} word={word} />
      <State given={decoded.value[step.value - 1]} used={now.state} fed={feeding.value && attends}
        word={word}
        change={(row) => (decoded.value = replaced(decoded.value, step.value - 1, row))} />
      <Encoder encoded={encoded} now={now} upTo={upTo} attends={attends} />
      <Outcome now={now} upTo={upTo} attends={attends} last={encoded.value[encoded.value.length - 1]} />
      <button type="button" class="button" onClick={() => {
        encoded.value = ENCODED;
        decoded.value = DECODED;
      }}>
        {say("reset")}
      </button>
      <StatusLine line={statusOf(step.value, now, attends)} />
    </Figure>
  );
}

const LAST = SOURCE.length - 1;

/** Lines from the word that is written to the source's states, as thick as their shares. */
function Bridge({ shares, drawn, word }: {
  shares: readonly number[];
  drawn: boolean;
  word: string;
}) {
  return (
    <div class="bridge" dir="ltr">
      <Lines query={SOURCE.length} weights={drawn ? shares : shares.map(() => 0)}>
        <ol lang="fr">
          {SOURCE.map((source, place) => <li data-place={place}>{source}</li>)}
        </ol>
        <p lang="en"><span data-place={SOURCE.length}>{word}</span></p>
      </Lines>
    </div>
  );
}

type Step = ReturnType<typeof contexts>[number];

function statusOf(step: number, now: Step, attends: boolean): string {
  const most = strongest(now.shares).map((place) => `"${SOURCE[place]}"`).join(", ");
  return [
    `step = ${step}/${TARGET.length} "${TARGET[step - 1]}"`,
    ...(attends
      ? [
          say("most", { words: most, share: percent(Math.max(...now.shares)) }),
          `a = ${list(now.context)}`,
        ]
      : [say("p1_status_last")]),
    say("example"),
  ].join(" | ");
}

const replaced = (rows: Matrix, at: number, row: readonly number[]): Matrix =>
  rows.map((old, place) => (place === at ? row : old));

interface VectorProps {
  label: string;
  vector: readonly number[];
  change: (vector: readonly number[]) => void;
}

/** A list of numbers, each of which can be changed. */
export const Vector = ({ label, vector, change }: VectorProps) => (
  <span class="vector" dir="ltr">
    {vector.map((value, place) => (
      <NumberField
        label={`${label}, ${place + 1}`}
        value={value}
        change={(next) => change(vector.map((old, at) => (at === place ? next : old)))}
      />
    ))}
  </span>
);

function State({ given, used, fed, word, change }: {
  given: readonly number[];
  used: readonly number[];
  fed: boolean;
  word: string;
  change: (row: readonly number[]) => void;
}) {
  return (
    <p class="state">
      <span>{say("p1_state", { word })}</span>{" "}
      <Vector label={say("p1_state", { word })} vector={given} change={change} />
      {fed && <bdi class="formula">→ s = {list(used)}</bdi>}
    </p>
  );
}

function Encoder({ encoded, now, upTo, attends }: {
  encoded: { value: Matrix };
  now: Step;
  upTo: number;
  attends: boolean;
}) {
  const head = [say("p1_word"), say("p1_h"), say("p1_e"), say("p1_alpha"), say("p1_term")];
  const columns = attends ? Math.min(head.length, upTo + 1) : 2;
  return (
    <Table
      caption={say("p1_table")}
      hideCaption
      head={head.slice(0, columns)}
      marked={attends ? undefined : LAST}
      rows={SOURCE.map((word, place) => {
        const state = encoded.value[place];
        return [
          <span lang="fr" dir="ltr">{word}</span>,
          <Vector
            label={`h ${place + 1}, ${word}`}
            vector={state}
            change={(row) => (encoded.value = replaced(encoded.value, place, row))}
          />,
          <bdi dir="ltr">{fixed(now.scores[place], 2)}</bdi>,
          <Bar share={now.shares[place]} text={fixed(now.shares[place], 2)} />,
          <bdi dir="ltr">{list(state.map((value) => value * now.shares[place]))}</bdi>,
        ].slice(0, columns);
      })}
    />
  );
}

function Outcome({ now, upTo, attends, last }: {
  now: Step;
  upTo: number;
  attends: boolean;
  last: readonly number[];
}) {
  if (!attends)
    return <p class="under"><Line of="p1_only_last" values={{ last: list(last) }} /></p>;
  return (
    <>
      {upTo > 3 && (
        <p class="total" dir="ltr"><bdi>a = Σ α·h = {list(now.context)}</bdi></p>
      )}
      {upTo > 4 && (
        <p class="total" dir="ltr"><bdi>[a; s] = {list([...now.context, ...now.state])}</bdi></p>
      )}
    </>
  );
}
