// web/src -> src/regard/look/bundle: page.js, style.css, words.json. `--out DIR` writes elsewhere,
// `--tests` builds the tests to .tests/ instead.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const argument = (name) => process.argv[process.argv.indexOf(name) + 1];
const common = {
  absWorkingDir: here,
  bundle: true,
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
  target: "es2022",
};

async function page(out) {
  await build({
    ...common,
    entryPoints: { page: "src/main.tsx", style: "src/page.css" },
    outdir: out,
    format: "iife",
    minify: true,
    jsx: "automatic",
    jsxImportSource: "preact",
  });
  const built = await build({
    ...common,
    entryPoints: ["src/words/all.ts"],
    format: "esm",
    write: false,
  });
  const code = Buffer.from(built.outputFiles[0].contents).toString("base64");
  const { catalogues } = await import(`data:text/javascript;base64,${code}`);
  writeFileSync(join(out, "words.json"), `${JSON.stringify(catalogues)}\n`);
}

async function tests() {
  const out = join(here, ".tests");
  rmSync(out, { recursive: true, force: true });
  const entries = readdirSync(join(here, "tests")).filter((name) => name.endsWith(".test.ts"));
  await build({
    ...common,
    entryPoints: entries.map((name) => join("tests", name)),
    outdir: out,
    outExtension: { ".js": ".mjs" },
    format: "esm",
    platform: "node",
  });
}

if (process.argv.includes("--tests")) {
  await tests();
} else {
  const out = process.argv.includes("--out")
    ? argument("--out")
    : join(here, "../src/regard/look/bundle");
  mkdirSync(out, { recursive: true });
  await page(out);
}
