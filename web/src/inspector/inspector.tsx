// a trace, or two -> what every attention did with the sentence, to be looked at from all sides
import { useMemo } from "preact/hooks";
import { signal } from "@preact/signals";
import { go } from "../parts/address.ts";
import { Choice } from "../parts/controls.tsx";
import { fixed, percent } from "../parts/numbers.ts";
import { StatusLine } from "../parts/status.tsx";
import { say, type Key } from "../parts/words.ts";
import type { Kind, Trace } from "../trace.ts";
import { Details, Whole } from "./details.tsx";
import { Difference } from "./difference.tsx";
import { Heads, nameOf } from "./heads.tsx";
import { Live, nameIn, server, silenced, toggle } from "./live.tsx";
import { csv, download, png, svg } from "./save.ts";
import { Sentences, rowName } from "./sentences.tsx";
import {
  KINDS, axes, chosen, first, headOf, layersOf, second, signs, sorted, temperature, traces, unit,
  type HeadPlace,
} from "./state.ts";
import { Steps } from "./steps.tsx";
import { grid, line, type Grid, type Place } from "./view.ts";

export function Inspector() {
  const trace = first.value;
  const beside = second.value;
  return (
    <article class="inspector">
      <h1>{say("inspector_title")}</h1>
      <Live />
      {!trace && server.value && <p>{say("ask_first")}</p>}
      {trace && <Choose />}
      {trace && <Controls trace={trace} />}
      <div class={beside ? "panes" : undefined}>
        {trace && <Pane trace={trace} main />}
        {beside && beside !== trace && <Pane trace={beside} />}
      </div>
      {trace && beside && beside !== trace && <Difference first={trace} second={beside} />}
      {trace && <Caveats />}
    </article>
  );
}

/** Which trace, and which beside it, where there are several. */
function Choose() {
  if (traces.value.length < 2) return null;
  const options = traces.value.map((trace, place) => (
    <option value={String(place + 1)}>{`${place + 1}. ${trace.text}`}</option>
  ));
  const at = (trace: Trace | undefined) => (trace ? String(traces.value.indexOf(trace) + 1) : "");
  return (
    <div class="controls">
      <label class="select">
        <span>{say("shown")}</span>
        <select
          value={at(first.value)}
          onChange={(event) => go({ trace: event.currentTarget.value, word: undefined })}
        >
          {options}
        </select>
      </label>
      <label class="select">
        <span>{say("beside")}</span>
        <select
          value={at(second.value)}
          onChange={(event) => go({ beside: event.currentTarget.value || undefined })}
        >
          <option value="">{say("nothing")}</option>
          {options}
        </select>
      </label>
    </div>
  );
}

function Controls({ trace }: { trace: Trace }) {
  const kinds = KINDS.filter((kind) => layersOf(trace, kind).length);
  const at = headOf(trace);
  return (
    <div class="controls">
      {kinds.length > 1 && at && (
        <Choice
          label={say("which_attention")}
          value={at.kind}
          options={kinds.map((kind) => ({ value: kind, label: say(`kind_${kind}`) }))}
          change={(kind) => go({ kind, layer: undefined, head: undefined, word: undefined })}
        />
      )}
      <Choice
        label={say("units")}
        value={unit.value}
        options={[
          { value: "words", label: say("unit_words") },
          { value: "pieces", label: say("unit_pieces") },
        ]}
        change={(value) => go({ unit: value === "pieces" ? value : undefined, word: undefined })}
      />
      <Choice
        label={say("signs")}
        value={signs.value}
        options={[
          { value: "keep", label: say("signs_keep") },
          { value: "hide", label: say("signs_hide") },
          { value: "renormalise", label: say("signs_renormalise") },
        ]}
        change={(value) => go({ signs: value === "keep" ? undefined : value, word: undefined })}
      />
    </div>
  );
}

function Pane({ trace, main }: { trace: Trace; main?: boolean }) {
  const head = headOf(trace);
  return (
    <section class="pane" aria-label={trace.text}>
      <dl class="texts">
        <dt>{say("source_text")}</dt>
        <dd>
          <bdi>{trace.text}</bdi>
        </dd>
        <dt>{say(trace.forced ? "target_given" : "target_found")}</dt>
        <dd>
          <bdi>{trace.translation}</bdi>
        </dd>
      </dl>
      {head ? <Attention trace={trace} head={head} main={main} /> : <p>{say("no_attention")}</p>}
      <Steps trace={trace} />
      <Foot trace={trace} />
    </section>
  );
}

function Attention({ trace, head, main }: { trace: Trace; head: HeadPlace; main?: boolean }) {
  const attended = layersOf(trace, head.kind)[head.layer]!;
  const [queries, keys] = useMemo(
    () => axes(trace, head.kind),
    [trace, head.kind, unit.value, signs.value],
  );
  const heat = temperature.value;
  const sums = signs.value === "renormalise";
  const shown = useMemo(
    () => grid(attended, head.head, queries, keys, { temperature: heat, renormalise: sums }),
    [attended, head.head, queries, keys, heat, sums],
  );
  const at = chosen(queries, keys);
  const parts = { attended, head, shown, at };
  return (
    <>
      <h2>{nameOf(head)}</h2>
      <p class="hint">{say(`how_${head.kind}` as Key)}</p>
      <Sentences trace={trace} kind={head.kind} shown={shown} at={at} />
      <StatusLine line={status(head.kind, shown, at)} />
      {signs.value !== "keep" && <p class="hint">{say(sums ? "says_renormalised" : "says_hidden")}</p>}
      <div class="heads-head">
        <h3>{say("heads")}</h3>
        <Choice
          label={say("order")}
          value={sorted.value ? "sorted" : "place"}
          options={[
            { value: "place", label: say("order_place") },
            { value: "sorted", label: say("order_sorted") },
          ]}
          change={(value) => go({ order: value === "sorted" ? value : undefined })}
        />
      </div>
      <p class="hint">{say("heads_hint")}</p>
      <Heads trace={trace} kind={head.kind} at={head} queries={queries} keys={keys} />
      {main && server.value && attended.heads > 1 && (
        <p>
          <button
            type="button"
            class="button"
            aria-pressed={silenced().includes(nameIn(head))}
            onClick={() => toggle(head, trace.text)}
          >
            {say("switch_off", { head: nameOf(head) })}
          </button>
        </p>
      )}
      <h3>{say("this_head")}</h3>
      <Details {...parts} />
      <Whole shown={shown} head={head} />
      <Save shown={shown} head={head} trace={trace} />
    </>
  );
}

/** The chosen word and what it looked at most, all words if several are equal. */
function status(kind: Kind, shown: Grid, at: Place): string {
  const weights = line(shown, at);
  const asks = at.side === "query";
  const texts = (asks ? shown.keys : shown.queries).texts;
  const word = (asks ? shown.queries : shown.keys).texts[at.place] ?? "";
  const most = Math.max(...weights, 0);
  const words = texts.filter((_, place) => most - weights[place]! < 1e-6).join(", ");
  const role = say(rowName(kind, at.side));
  return say(asks ? "status_query" : "status_key", { role, word, words, share: fixed(most, 2) });
}

const link = signal("");

function Save({ shown, head, trace }: { shown: Grid; head: HeadPlace; trace: Trace }) {
  const title = `${nameOf(head)}: ${trace.text}`;
  const name = `attention-${nameIn(head).replaceAll(".", "-")}`;
  const picture = () => svg(shown, title);
  const copy = async () => {
    link.value = "";
    try {
      await navigator.clipboard.writeText(window.location.href);
    } catch {
      link.value = window.location.href;
    }
  };
  return (
    <div class="save">
      <button type="button" class="button" onClick={() => void copy()}>
        {say("copy_link")}
      </button>
      <button
        type="button"
        class="button"
        onClick={() => download(`${name}.svg`, new Blob([picture()], { type: "image/svg+xml" }))}
      >
        {say("save_as", { kind: "SVG" })}
      </button>
      <button
        type="button"
        class="button"
        onClick={() => void png(picture()).then((blob) => download(`${name}.png`, blob))}
      >
        {say("save_as", { kind: "PNG" })}
      </button>
      <button
        type="button"
        class="button"
        onClick={() => download(`${name}.csv`, new Blob([csv(shown)], { type: "text/csv" }))}
      >
        {say("save_as", { kind: "CSV" })}
      </button>
      {link.value && <input class="link" readOnly dir="ltr" aria-label={say("copy_link")} value={link.value} />}
    </div>
  );
}

function Foot({ trace }: { trace: Trace }) {
  const { about } = trace;
  const lines = [
    [say("foot_model"), [about.model, about.family].filter(Boolean).join(", ")],
    [say("foot_checkpoint"), about.checkpoint],
    [say("foot_command"), about.command],
    [say("foot_date"), about.date],
    [say("foot_view"), trace.view === "pieces" ? "" : trace.view],
    [say("foot_how"), say(server.value ? "foot_live" : "foot_recorded")],
    [say("foot_error"), percent(trace.error) === "0%" ? trace.error.toExponential(1) : percent(trace.error)],
  ];
  return (
    <footer class="foot">
      <dl>
        {lines.map(([name, value]) =>
          value ? (
            <div>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ) : null,
        )}
      </dl>
    </footer>
  );
}

const Caveats = () => (
  <aside class="caveat" role="note">
    <p>{say("caveat_inspector")}</p>
  </aside>
);
