// the page begins: data blocks -> the lesson, and the inspector where there is a trace
import { render } from "preact";
import { data, words } from "./page.ts";
import { speak } from "./parts/words.ts";
import { Shell } from "./shell.tsx";

async function begin(): Promise<void> {
  speak((await words())!);
  render(<Shell data={await data()} />, document.getElementById("page")!);
}

void begin();
