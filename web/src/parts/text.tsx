// words with marks -> paragraphs: *stressed*, `formula`, [[link to the sources]], a blank line
// between paragraphs
import { PartLink } from "./link.tsx";
import { say, type Key } from "./words.ts";

interface Of {
  of: Key;
  values?: Record<string, string | number>;
}

/** Letters with `_low` and `^high` ones: d_k, W^O, 10000^(2i/d). */
export function Formula({ children }: { children: string }) {
  const runs = children.split(/(_[\p{L}\p{N}]+|\^[\p{L}\p{N}]+|\^\([^)]*\))/u);
  return (
    <bdi class="formula" dir="ltr">
      {runs.map((run) =>
        run.startsWith("_") ? (
          <sub>{run.slice(1)}</sub>
        ) : run.startsWith("^") ? (
          <sup>
            <Formula>{run.slice(1).replace(/^\(|\)$/g, "")}</Formula>
          </sup>
        ) : (
          run
        ),
      )}
    </bdi>
  );
}

/** One run of text; a formula stands left to right in every language. */
export function Marked({ text }: { text: string }) {
  const runs = text.split(/(\*[^*]+\*|`[^`]+`|\[\[[^\]]+\]\])/);
  return (
    <>
      {runs.map((run) =>
        run.length > 1 && run.startsWith("*") && run.endsWith("*") ? (
          <em>{run.slice(1, -1)}</em>
        ) : run.startsWith("`") ? (
          <Formula>{run.slice(1, -1)}</Formula>
        ) : run.startsWith("[[") ? (
          <Source of={run.slice(2, -2)} />
        ) : (
          run
        ),
      )}
    </>
  );
}

/** A number of the paper has a way to where it comes from: its table, or the list of sources. */
const Source = ({ of }: { of: string }) => (
  <PartLink part={7} at={/^\D+[234]$/.test(of) ? `table${of.at(-1)}` : "sources"} class="source">
    <bdi dir={of.startsWith("§") ? "ltr" : undefined}>{of}</bdi>
  </PartLink>
);

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
