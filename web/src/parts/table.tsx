// rows -> a real table, which stands behind every picture
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { say } from "./words.ts";

export type Cell = ComponentChildren;

interface TableProps {
  caption: string;
  head: readonly Cell[];
  /** The first cell of a row is its heading. */
  rows: readonly (readonly Cell[])[];
  /** A row that is the one spoken of. */
  marked?: number;
  hideCaption?: boolean;
}

export function Table({ caption, head, rows, marked, hideCaption }: TableProps) {
  return (
    <div class="table-frame" tabIndex={0} role="group" aria-label={caption}>
      <table>
        <caption class={hideCaption ? "unseen" : undefined}>{caption}</caption>
        <thead>
          <tr>
            {head.map((cell) => (
              <th scope="col">{cell}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <tr class={place === marked ? "marked" : undefined}>
              <th scope="row">{row[0]}</th>
              {row.slice(1).map((cell) => (
                <td>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface BehindProps extends Omit<TableProps, "rows"> {
  rows: TableProps["rows"] | (() => TableProps["rows"]);
}

/** The numbers of a picture, shown when asked for; a very large table is not made before that. */
export function Behind({ rows, ...rest }: BehindProps) {
  const open = useSignal(false);
  const made = open.value || rest.head.length < 32;
  return (
    <details class="behind" onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>{say("as_table")}</summary>
      {made && <Table {...rest} rows={typeof rows === "function" ? rows() : rows} />}
    </details>
  );
}
