// Makes the forms of the reference send requests to the server that the page came from, and search their parameters.
"use strict";

// The demo prints an address with its token behind the #. The part behind # is not sent to a server. It is taken out of
// the address at once, so that a bookmark does not keep it.
const token = document.getElementById("token");
const given = new URLSearchParams(location.hash.slice(1)).get("token");
if (given) {
  token.value = given;
  history.replaceState(null, "", location.pathname);
}

const root = new URL(".", location.href);
const sets = (input) => input.name && input.value !== "";
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

// The request that a form describes. An empty field is not sent.
function requestOf(form) {
  const { method, base, path } = form.dataset;
  const inputs = [...form.elements].filter(sets);
  const of = (place) => inputs.filter((input) => input.dataset.in === place);
  let filled = path;
  for (const input of of("path")) filled = filled.replace(`{${input.name}}`, encodeURIComponent(input.value));
  const query = of("query").map((input) => {
    // Commas between values stay as they are.
    const parts = "list" in input.dataset ? input.value.split(",") : [input.value];
    return `${encodeURIComponent(input.name)}=${parts.map(encodeURIComponent).join(",")}`;
  });
  const below = new URL(`${base}/`, root).href.slice(0, -1);
  const address = below + filled + (query.length ? `?${query.join("&")}` : "");
  const headers = Object.fromEntries(of("header").map((input) => [input.name, input.value]));
  const body = form.querySelector("[data-in=body]")?.value;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  return { method, address, headers, body };
}

// The same as a command; the token stays out of it.
function curlOf({ method, address, headers, body }, needsToken) {
  const words = ["curl -g"];
  if (method !== "GET") words.push(`-X ${method}`);
  if (needsToken) words.push('-H "Authorization: Bearer $TOKEN"');
  for (const [name, value] of Object.entries(headers)) words.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body !== undefined) words.push(`-d ${quoted(body)}`);
  return [...words, quoted(address)].join(" \\\n  ");
}

function describe(form) {
  const request = requestOf(form);
  form.querySelector(".request code").textContent = `${request.method} ${request.address}`;
  form.querySelector(".curl code").textContent = curlOf(request, "token" in form.dataset);
  for (const kind of form.querySelectorAll(".kind")) {
    const number = [...kind.querySelectorAll("[name]")].filter(sets).length;
    const told = kind.querySelector(".set");
    if (told) told.textContent = number ? `${number} set` : "";
  }
  for (const words of form.querySelectorAll(".words")) {
    const chosen = form.querySelector(`[id="${words.dataset.for}"]`).value.split(",");
    for (const button of words.querySelectorAll("[data-word]")) {
      button.setAttribute("aria-pressed", chosen.includes(button.dataset.word));
    }
  }
}

function show(form, place, text) {
  const element = form.querySelector(place);
  element.hidden = text === "";
  element.querySelector("code").textContent = text;
}

async function execute(form) {
  const { method, address, headers, body } = requestOf(form);
  const status = form.querySelector(".status");
  status.className = "status";
  status.textContent = "waiting …";
  if ("token" in form.dataset && token.value) headers.Authorization = `Bearer ${token.value}`;
  const began = performance.now();
  try {
    const answer = await fetch(address, { method, headers, body, cache: "no-store" });
    const text = await answer.text();
    const time = Math.round(performance.now() - began);
    status.textContent = `${answer.status} ${answer.statusText}, ${time} ms, ${text.length.toLocaleString("en")} characters`;
    status.classList.add(answer.ok ? "is-good" : "is-bad");
    show(form, ".headers", [...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n"));
    const isJson = /[/+]json/.test(answer.headers.get("Content-Type"));
    show(form, ".body", isJson && text ? JSON.stringify(JSON.parse(text), null, 2) : text);
  } catch (error) {
    status.textContent = `No answer: ${error.message}`;
    status.classList.add("is-bad");
  }
  // Beside the form it is in sight already.
  form.querySelector(".body").scrollIntoView({ block: "nearest" });
}

// A word that is chosen goes to the end of the list; chosen again, it leaves it.
function choose(input, word) {
  const words = input.value.split(",").filter(Boolean);
  input.value = (words.includes(word) ? words.filter((other) => other !== word) : [...words, word]).join(",");
}

for (const form of document.forms) {
  describe(form);
  form.querySelector(".execute").hidden = false;
  form.querySelector(".curl").hidden = false;
  form.addEventListener("input", () => describe(form));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    execute(form);
  });
  form.addEventListener("click", ({ target }) => {
    const words = target.closest("button")?.closest(".words");
    if (!words) return;
    const input = form.querySelector(`[id="${words.dataset.for}"]`);
    if (target.dataset.word) choose(input, target.dataset.word);
    else input.value = target.dataset.text;
    describe(form);
  });
  const find = form.querySelector(".find");
  if (find) {
    find.hidden = false;
    find.addEventListener("input", () => findFields(form, find.querySelector("input").value));
    // Enter looks for a parameter here, and sends nothing.
    find.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
  }
}

const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
const has = (text, words) => words.every((word) => text.toLowerCase().includes(word));

// Unfolds the groups with parameters that are found, and hides the others.
function findFields(form, text) {
  const words = wordsOf(text);
  for (const kind of form.querySelectorAll(".kind")) {
    const fields = [...kind.querySelectorAll(".field")];
    for (const field of fields) {
      const name = `${field.querySelector("label").textContent} ${field.querySelector(".meaning")?.textContent ?? ""}`;
      field.classList.toggle("hidden", !has(name, words));
    }
    const some = fields.some((field) => !field.classList.contains("hidden"));
    kind.classList.toggle("hidden", !some);
    kind.open = words.length > 0 && some;
  }
}

const search = document.getElementById("search");
const operations = [...document.querySelectorAll("[data-find]")].map((element) => {
  const names = [...element.querySelectorAll("[name]")].map((input) => input.name).join(" ");
  return { element, text: `${element.id} ${element.querySelector("summary").textContent} ${names}` };
});
search.addEventListener("input", () => {
  const words = wordsOf(search.value);
  let number = 0;
  for (const { element, text } of operations) {
    const found = has(text, words);
    element.classList.toggle("hidden", !found);
    number += found ? 1 : 0;
  }
  for (const group of document.querySelectorAll("[data-group]")) {
    group.classList.toggle("hidden", !group.querySelector("[data-find]:not(.hidden)"));
  }
  document.getElementById("found").textContent = words.length ? `${number} ${number === 1 ? "operation" : "operations"} found` : "";
});

// An address names the operation that is open.
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.matches(".operation")) {
    target.open = true;
    target.scrollIntoView();
  }
}
for (const { element } of operations) {
  element.addEventListener("toggle", () => element.open && history.replaceState(null, "", `#${element.id}`));
}
addEventListener("hashchange", reveal);
document.querySelector(".tools").hidden = false;
reveal();
