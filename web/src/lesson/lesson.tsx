// the lesson: eight parts, one at a time, the part in the address
import { say } from "../parts/words.ts";

export const Lesson = () => <h1>{say("title")}</h1>;
