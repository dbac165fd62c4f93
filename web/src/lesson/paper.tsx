// part 7: the paper's numbers: Tables 2, 3 and 4, each column as what it is, and their sources
import { Table } from "../parts/table.tsx";
import { Caveat, Formula, Text } from "../parts/text.tsx";
import { say } from "../parts/words.ts";
import { ARCHITECTURES, COSTS, PARSERS, SOURCES, TRANSLATORS } from "./tables.ts";

export function Paper() {
  return (
    <>
      <Text of="p7_lead" />
      <section class="figure" tabIndex={-1} id="table2">
        <h2>{say("p7_table2")}</h2>
        <Translators />
        <Text of="p7_table2_text" />
        <Caveat of="p7_41" />
      </section>
      <section class="figure" tabIndex={-1} id="table3">
        <h2>{say("p7_table3")}</h2>
        <Architectures />
        <Text of="p7_table3_text" />
        <Caveat of="p7_table3_not" />
      </section>
      <section class="figure" tabIndex={-1} id="table4">
        <h2>{say("p7_table4")}</h2>
        <Parsers />
        <Text of="p7_table4_text" />
      </section>
      <section class="figure" tabIndex={-1} id="training">
        <h2>{say("p7_training")}</h2>
        <Text of="p7_training_text" />
      </section>
      <section class="figure" tabIndex={-1} id="sources">
        <h2>{say("p7_sources")}</h2>
        <Sources />
        <Text of="p7_people" />
      </section>
    </>
  );
}

/** A number of the paper as it prints it: 2.3e19 as 2.3·10¹⁹. */
function Cost({ of }: { of: string }) {
  const [number, power] = of.split("e");
  return power ? <bdi dir="ltr">{number}·10<sup>{power}</sup></bdi> : <>{of}</>;
}

const Translators = () => (
  <div class="table-frame" tabIndex={0} role="group" aria-label={say("p7_table2_caption")}>
    <table>
      <caption>{say("p7_table2_caption")}</caption>
      <thead>
        <tr>
          <td rowSpan={2} />
          <th scope="colgroup" colSpan={2}>BLEU, newstest2014</th>
          <th scope="colgroup" colSpan={2}>{say("p7_cost")}</th>
        </tr>
        <tr>
          {["EN-DE", "EN-FR", "EN-DE", "EN-FR"].map((pair) => <th scope="col">{pair}</th>)}
        </tr>
      </thead>
      <tbody>
        {TRANSLATORS.map(([name, german, french, costGerman, costFrench]) => (
          <tr>
            <th scope="row" lang="en">{name}</th>
            <td>{german}</td>
            <td>{french}</td>
            <td><Cost of={costGerman} /></td>
            <td><Cost of={costFrench} /></td>
          </tr>
        ))}
        {COSTS.map(([name, german, french, cost]) => (
          <tr class="marked">
            <th scope="row" lang="en">{name}</th>
            <td>{german}</td>
            <td>{french}</td>
            <td colSpan={2} class="spans"><Cost of={cost} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const SYMBOLS = ["N", "d_model", "d_ff", "h", "d_k", "d_v", "P_drop", "ε_ls"];

const Architectures = () => (
  <Table
    caption={say("p7_table3_caption")}
    head={[say("row"), ...SYMBOLS.map((symbol) => <Formula>{symbol}</Formula>), say("p7_steps"),
      say("p7_ppl"), "BLEU (dev)", say("p7_params")]}
    rows={ARCHITECTURES.map((row) => row.map((cell) => (cell === "E" ? say("p7_learned") : cell)))}
  />
);

const Parsers = () => (
  <Table
    caption={say("p7_table4_caption")}
    head={[say("p7_parser"), say("p7_trained"), "F1 (WSJ 23)"]}
    rows={PARSERS.map(([name, training, score]) => [
      <span lang="en">{name}</span>, say(training), score,
    ])}
  />
);

const Sources = () => (
  <Table
    caption={say("p7_sources_caption")}
    head={[say("p7_what"), say("p7_where")]}
    rows={SOURCES.map(({ what, name, address }) => [
      say(what),
      <a lang="en" dir="ltr" href={address} rel="noreferrer">{name}</a>,
    ])}
  />
);
