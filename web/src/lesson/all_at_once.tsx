// part 3: one word at a time, or all at once; the paper's Table 1
import { useSignal } from "@preact/signals";
import { Slider } from "../parts/controls.tsx";
import { Caveat, Formula, Line, Text } from "../parts/text.tsx";
import { StatusLine } from "../parts/status.tsx";
import { Table } from "../parts/table.tsx";
import { grouped } from "../parts/numbers.ts";
import { language, say } from "../parts/words.ts";
import { Figure } from "./figure.tsx";
import { Growth } from "./growth.tsx";
import { sentence } from "./toy.ts";

export function AllAtOnce() {
  return (
    <>
      <Text of="p3_lead" />
      <Chain />
      <Caveat of="p3_not" />
      <Text of="p3_recurrent" />
      <Yours />
      <Growth />
      <Caveat of="p3_n_d" />
      <Text of="p3_convolution" />
    </>
  );
}

function Chain() {
  const step = useSignal(1);
  const words = sentence();
  const last = words[words.length - 1];
  const reached = step.value === words.length;
  const of = (number: number) => say("p3_of", { number, all: words.length });
  return (
    <Figure name="chain" title="p3_figure" how="p3_how">
      <div class="sides">
        <div>
          <h3>{say("p3_left")}</h3>
          <Words words={words} seen={step.value} chain />
        </div>
        <div>
          <h3>{say("p3_right")}</h3>
          <Words words={words} seen={words.length} />
        </div>
      </div>
      <div class="controls">
        <Slider
          label={say("p3_step")}
          value={step.value}
          min={1}
          max={words.length}
          text={of(step.value)}
          change={(value) => (step.value = value)}
        />
      </div>
      <Table
        caption={say("p3_measures")}
        hideCaption
        head={[say("p3_measure"), say("p3_one"), say("p3_all")]}
        rows={[
          [say("p3_steps"), of(step.value), "1"],
          [say("p3_seen"), of(step.value), of(words.length)],
          [
            say("p3_reach", { word: last }),
            say(reached ? "p3_reached" : "p3_not_yet"),
            say("p3_reached"),
          ],
          [say("p3_path"), <Formula>O(n)</Formula>, <Formula>O(1)</Formula>],
        ]}
      />
      <p class="under">
        <Line
          of="p3_gaps"
          values={{ walked: step.value - 1, gaps: words.length - 1, words: words.length }}
        />
      </p>
      <StatusLine
        line={say("p3_status", {
          step: step.value,
          words: words.length,
          word: last,
          reached: say(reached ? "yes" : "no"),
        })}
      />
    </Figure>
  );
}

/** The same words twice: what has been passed along a chain, and what all see at once. */
function Words({ words, seen, chain }: { words: string[]; seen: number; chain?: boolean }) {
  const pairs = words.flatMap((_, to) => words.slice(0, to).map((_, from) => [from, to]));
  const links = chain ? pairs.filter(([from, to]) => to - from === 1) : pairs;
  return (
    <div class="walk">
      <svg viewBox={`0 0 ${100 * words.length} 110`} preserveAspectRatio="none" aria-hidden="true">
        {links.map(([from, to]) => (
          <path class={to < seen ? "arc" : "arc arc-open"} d={arc(from, to)} />
        ))}
      </svg>
      <ol>
        {words.map((word, place) => (
          <li class={place < seen ? "seen" : undefined}>
            <bdi>{word}</bdi>
            <span class="unseen">{say(place < seen ? "p3_word_seen" : "p3_word_unseen")}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** From the middle of one column to that of another, higher the further. */
function arc(from: number, to: number): string {
  const [start, end] = [100 * from + 50, 100 * to + 50];
  return `M${start} 110C${start} ${96 - 28 * (to - from)} ${end} ${96 - 28 * (to - from)} ${end} 110`;
}

/** Words as the language has them, also where it writes none of the spaces between them. */
export function wordsOf(text: string, tag: string): string[] {
  const parts = new Intl.Segmenter(tag, { granularity: "word" }).segment(text);
  return [...parts].filter((part) => part.isWordLike).map((part) => part.segment);
}

function Yours() {
  const text = useSignal(say("p3_typed"));
  const words = wordsOf(text.value, language.value);
  const n = words.length;
  const shown = words.slice(0, 12).join(" · ") + (n > 12 ? " …" : "");
  return (
    <Figure name="yours" title="p3_yours" how="p3_yours_how">
      <label class="field">
        <span>{say("p3_sentence")}</span>
        <input
          type="text"
          dir="auto"
          value={text.value}
          maxLength={2000}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      </label>
      <p class="under">
        <bdi>{shown || "–"}</bdi>
      </p>
      <Table
        caption={say("p3_yours_table")}
        hideCaption
        head={[say("p3_measure"), say("p3_one"), say("p3_all")]}
        rows={[
          [say("p3_steps"), grouped(n), n ? "1" : "0"],
          [say("p3_longest_gap"), grouped(Math.max(0, n - 1)), n > 1 ? "1" : "0"],
          [say("p3_pairs"), "–", grouped(n * n)],
        ]}
      />
      <StatusLine line={say("p3_yours_status", { n, gaps: Math.max(0, n - 1), pairs: n * n })} />
    </Figure>
  );
}
