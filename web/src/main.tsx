// the page begins: data blocks -> the lesson, and the inspector where there is a trace
import { render } from "preact";
import { model } from "./lesson/heads.ts";
import { data, words } from "./page.ts";
import { speak } from "./parts/words.ts";
import { Shell } from "./shell.tsx";
import { open } from "./trace.ts";

async function begin(): Promise<void> {
  speak((await words())!);
  const [trace] = (await data())?.traces ?? [];
  if (trace) model.value = open(trace);
  render(<Shell />, document.getElementById("page")!);
}

void begin();
