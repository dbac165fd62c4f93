// part 8: questions; the answer is hidden until it is asked for
import { useSignal } from "@preact/signals";
import { strongest } from "../parts/arithmetic.ts";
import { percent } from "../parts/numbers.ts";
import { StatusLine } from "../parts/status.tsx";
import { Behind } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { Tokens } from "../parts/tokens.tsx";
import { say, type Key } from "../parts/words.ts";
import { Bar, Figure } from "./figure.tsx";
import { shown, whose, Switch } from "./switch.tsx";
import { mostOf } from "./who_asks.tsx";

const QUESTIONS: readonly { question: Key; answer: Key }[] = [
  { question: "q_temperature", answer: "a_temperature" },
  { question: "q_recurrent", answer: "a_recurrent" },
  { question: "q_root", answer: "a_root" },
  { question: "q_mask", answer: "a_mask" },
  { question: "q_weights", answer: "a_weights" },
  { question: "q_table3", answer: "a_table3" },
];

export function Questions() {
  return (
    <>
      <Text of="p8_lead" />
      <ol class="questions">
        {QUESTIONS.map(({ question, answer }) => (
          <li>
            <Text of={question} />
            <details class="answer">
              <summary>{say("p8_answer")}</summary>
              <Text of={answer} />
            </details>
          </li>
        ))}
      </ol>
      <Guess />
    </>
  );
}

/** Which word is looked at most? First the guess, then the row. */
function Guess() {
  const head = shown("encoder");
  const asker = useSignal(1);
  const guess = useSignal<number | undefined>(undefined);
  const at = Math.min(asker.value, head.queries.length - 1);
  const row = head.row(at);
  const guessed = guess.value;
  const right = guessed !== undefined && strongest(row).includes(guessed);
  const ask = (next: number) => {
    asker.value = next;
    guess.value = undefined;
  };
  return (
    <Figure name="guess" title="p8_guess" how="p8_guess_how" toy={head.toy}>
      <Switch kind="encoder" />
      <p class="guess">
        <Text of="p8_guess_question" values={{ word: head.queries[at] }} />
      </p>
      <Tokens label={say("p8_guess_label")} words={head.keys} chosen={guessed ?? -1}
        choose={(place) => (guess.value = place)} />
      {guessed !== undefined && (
        <>
          <ul class="bars" aria-label={say("p8_guess_row", { word: head.queries[at] })}>
            {head.keys.map((word, key) => (
              <li>
                <bdi class="bars-word">{word}</bdi>
                <Bar share={row[key]} text={percent(row[key])} />
              </li>
            ))}
          </ul>
          <Behind caption={say("p8_guess_row", { word: head.queries[at] })}
            head={[say("word"), say("weight")]}
            rows={head.keys.map((word, key) => [word, percent(row[key])])} />
        </>
      )}
      <StatusLine
        line={guessed === undefined ? say("p8_guess_first") : [
          say(right ? "p8_right" : "p8_wrong", { guess: head.keys[guessed] }),
          `query = "${head.queries[at]}"`,
          mostOf(head.keys, row),
          whose(head.toy),
        ].join(" | ")}
      />
      <button type="button" class="button" onClick={() => ask((at + 1) % head.queries.length)}>
        {say("p8_next")}
      </button>
    </Figure>
  );
}
