// Prints the mutants that StrykerJS makes of the named files, as JSON: one array of [mutator, start, end, replacement] a file.
// start and end are [line, column], both from 0. Runs where the instrumenter is installed.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [tools, ...files] = process.argv.slice(2);
const entry = createRequire(`${tools}/package.json`).resolve("@stryker-mutator/instrumenter");
const { Instrumenter } = await import(pathToFileURL(entry).href);

const silent = () => false;
const log = new Proxy({}, { get: () => silent });
const options = { plugins: null, excludedMutations: [], ignorers: [] };
const found = {};
for (const file of files) {
  const source = [{ name: file, mutate: true, content: readFileSync(file, "utf8") }];
  const { mutants } = await new Instrumenter(log).instrument(source, options);
  const place = ({ line, column }) => [line, column];
  found[file] = mutants.map(({ mutatorName, location, replacement }) => [
    mutatorName,
    place(location.start),
    place(location.end),
    replacement,
  ]);
}
console.log(JSON.stringify(found));
