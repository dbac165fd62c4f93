// the page begins: data blocks -> the lesson, and the inspector where there is a trace
import { render } from "preact";
import { listen, server } from "./inspector/live.tsx";
import { recorded } from "./inspector/state.ts";
import { data, words } from "./page.ts";
import { speak } from "./parts/words.ts";
import { Shell } from "./shell.tsx";
import { open } from "./trace.ts";

async function begin(): Promise<void> {
  speak((await words())!);
  const given = await data();
  recorded.value = (given?.traces ?? []).map(open);
  server.value = given?.live ?? null;
  listen();
  render(<Shell />, document.getElementById("page")!);
}

void begin();
