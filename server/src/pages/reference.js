// Shows the contract and the description of the operational paths together, both as this server serves them. Requests go
// to the server that the page came from, whatever address the contract names.
"use strict";

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const shade = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", shade);
shade();

// The demo prints an address with its token behind the #. The part behind # is not sent to a server. It is taken out of
// the address at once, so that a bookmark does not keep it.
const token = new URLSearchParams(location.hash.slice(1)).get("token");
if (token) history.replaceState(null, "", location.pathname);

async function fetched(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

// The form sends every value that it begins with. So the example of an optional parameter is told in words and not filled in.
function tellExamples(contract) {
  const { parameters, schemas } = contract.components;
  const operations = Object.values(contract.paths).flatMap((item) => Object.values(item));
  const own = operations.flatMap((operation) => operation.parameters ?? []).filter((parameter) => !parameter.$ref);
  for (const parameter of [...own, ...Object.values(parameters)].filter((parameter) => !parameter.required)) {
    const named = schemas[parameter.schema.$ref?.split("/").pop()];
    const { example, ...schema } = { ...(named ?? parameter.schema) };
    const told = parameter.example ?? example;
    if (told !== undefined) parameter.description += `\n\nExample: \`${told}\``;
    delete parameter.example;
    parameter.schema = schema;
  }
}

async function show() {
  const [contract, operating] = await Promise.all([
    fetched("api/v1/openapi.json"),
    fetched("operate/openapi.json"),
  ]);
  tellExamples(contract);
  contract.servers = [{ url: new URL("api/v1", location.href).href, description: "This server" }];
  const servers = [{ url: new URL(".", location.href).href.replace(/\/$/, "") }];
  for (const [path, item] of Object.entries(operating.paths)) contract.paths[path] = { ...item, servers };
  Object.assign(contract.components.schemas, operating.components.schemas);
  contract.tags.push(...operating.tags);
  const reference = SwaggerUIBundle({
    spec: contract,
    dom_id: "#reference",
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    docExpansion: "list",
    filter: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    onComplete: () => token && reference.preauthorizeApiKey("bearer", token),
  });
}

show().catch((error) => {
  document.getElementById("reference").textContent = `The reference cannot be shown: ${error.message}`;
});
