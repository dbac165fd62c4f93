// words with marks -> paragraphs: *stressed*, `formula`, a blank line between paragraphs
import { say, type Key } from "./words.ts";

interface Of {
  of: Key;
  values?: Record<string, string | number>;
}

/** One run of text; a formula stands left to right in every language. */
export function Marked({ text }: { text: string }) {
  const runs = text.split(/(\*[^*]+\*|`[^`]+`)/);
  return (
    <>
      {runs.map((run) =>
        run.length > 1 && run.startsWith("*") && run.endsWith("*") ? (
          <em>{run.slice(1, -1)}</em>
        ) : run.startsWith("`") ? (
          <bdi class="formula" dir="ltr">
            {run.slice(1, -1)}
          </bdi>
        ) : (
          run
        ),
      )}
    </>
  );
}

export const Line = ({ of, values }: Of) => <Marked text={say(of, values)} />;

export function Text({ of, values }: Of) {
  return (
    <>
      {say(of, values)
        .split("\n\n")
        .map((paragraph) => (
          <p>
            <Marked text={paragraph} />
          </p>
        ))}
    </>
  );
}

/** A thing that is easily got wrong, where it belongs. */
export const Caveat = ({ of, values }: Of) => (
  <div class="caveat" role="note">
    <Text of={of} values={values} />
  </div>
);
