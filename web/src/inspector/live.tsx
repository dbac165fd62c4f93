// the reader's own sentence -> the server's answer; heads silenced; other checkpoints
import { effect, signal } from "@preact/signals";
import { address, go } from "../parts/address.ts";
import { Slider } from "../parts/controls.tsx";
import { announce } from "../parts/status.tsx";
import { say } from "../parts/words.ts";
import { open, type PageData, type Trace, type TraceData } from "../trace.ts";
import { answered, first, type HeadPlace } from "./state.ts";

/** What the server can be asked; null where there is none. */
export const server = signal<PageData["live"]>(null);

/** The sentence's translation with all heads, to hold the other against. */
export const whole = signal<Trace | undefined>();
const failure = signal("");
const busy = signal(false);

/** Heads that are silenced, as the address names them: cross.1.2,encoder.1.1 */
export const silenced = (): string[] => (address.value.off ?? "").split(",").filter(Boolean);

export const nameIn = (at: HeadPlace): string => `${at.kind}.${at.layer + 1}.${at.head + 1}`;

/** Silences a head, or lets it speak again, while this text is translated. */
export function toggle(at: HeadPlace, text: string): void {
  const name = nameIn(at);
  const off = silenced();
  const next = off.includes(name) ? off.filter((other) => other !== name) : [...off, name];
  go({ text, off: next.length ? next.join(",") : undefined, trace: undefined });
}

async function post(question: Record<string, unknown>): Promise<Trace> {
  const response = await fetch("api/trace", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(question),
  });
  const found = (await response.json()) as TraceData | { error: string };
  if (!response.ok) throw new Error((found as { error: string }).error);
  return open(found as TraceData);
}

let latest = 0;

async function ask(text: string, checkpoint: string | undefined, off: string[]): Promise<void> {
  const mine = ++latest;
  busy.value = true;
  try {
    const without = off.map((name) => {
      const [kind, layer, head] = name.split(".");
      return [kind, Number(layer) - 1, Number(head) - 1];
    });
    const question = { text, ...(checkpoint ? { checkpoint } : {}) };
    const all = await post(question);
    const found = off.length ? await post({ ...question, without }) : all;
    if (mine !== latest) return;
    whole.value = all;
    answered.value = found;
    failure.value = "";
    announce(found.translation);
  } catch (error) {
    if (mine === latest) failure.value = error instanceof Error ? error.message : String(error);
  } finally {
    if (mine === latest) busy.value = false;
  }
}

/** Whenever the address asks for something else, so does the page. */
export function listen(): void {
  let before = "";
  effect(() => {
    const { text, checkpoint } = address.value;
    const off = silenced();
    const asked = JSON.stringify([text, checkpoint, off]);
    if (!server.value || !text || asked === before) return;
    before = asked;
    void ask(text, checkpoint, off);
  });
}

export function Live() {
  const can = server.value;
  if (!can) return <p class="hint">{say("recorded_only")}</p>;
  const names = can.checkpoints;
  const text = address.value.text ?? first.value?.text;
  const at = names.indexOf(address.value.checkpoint ?? names.at(-1)!);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement).get("text");
    if (typeof given === "string" && given.trim())
      go({ text: given, word: undefined, trace: undefined, step: undefined }, true);
  };
  return (
    <div class="live">
      <form onSubmit={send}>
        <label>
          <span>{say("your_sentence")}</span>
          <input name="text" dir="auto" autocomplete="off" defaultValue={text ?? ""} />
        </label>
        <button type="submit" class="button" aria-busy={busy.value}>
          {say("ask")}
        </button>
      </form>
      {names.length > 1 && text && (
        <Slider
          label={say("checkpoint_slider")}
          value={at + 1}
          min={1}
          max={names.length}
          text={names[at] ?? ""}
          change={(value) =>
            go({
              text,
              trace: undefined,
              checkpoint: value === names.length ? undefined : names[value - 1],
            })
          }
        />
      )}
      {failure.value && <p class="failure" role="alert">{failure.value}</p>}
      {silenced().length > 0 && whole.value && answered.value && (
        <div class="changed">
          <p>
            {say("with_all")} <bdi>{whole.value.translation}</bdi>
          </p>
          <p>
            {say("without_heads", { heads: silenced().join(", ") })}{" "}
            <bdi>{answered.value.translation}</bdi>
          </p>
          <button type="button" class="button" onClick={() => go({ off: undefined })}>
            {say("all_heads_on")}
          </button>
        </div>
      )}
    </div>
  );
}
