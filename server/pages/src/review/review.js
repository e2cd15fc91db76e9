// Search, folding and the marked place of the contents. Without this script the page is complete, and each entry unfolds.
"use strict";

// Words that reviewers type, and the words that the page has for them.
const synonyms = {
  webhook: ["events"],
  notification: ["events"],
  subscription: ["events"],
  audit: ["log"],
  pagination: ["page"],
  paginate: ["page"],
  offset: ["page"],
  limit: ["page[size]", "limit"],
  per_page: ["page[size]"],
  total: ["page[total]", "total"],
  order_by: ["sort"],
  ordering: ["sort"],
  expand: ["include"],
  embed: ["include"],
  sideload: ["include"],
  archived: ["trashed", "soft-deleted"],
  undelete: ["restore", "trashed"],
  person: ["user"],
  people: ["user"],
  employee: ["employee", "directory user"],
  department: ["dimension"],
  login: ["sign in", "workspace user"],
  oauth: ["token"],
  jwt: ["token"],
  "api-key": ["token"],
  permission: ["scope"],
  throttling: ["429"],
  "rate-limit": ["429"],
  offboard: ["deprovisioned", "deactivated"],
  onboard: ["staged"],
  suspend: ["suspended"],
  disable: ["deactivated"],
  "case-sensitive": ["letters", "case"],
  wildcard: ["wildcard", "%"],
  timezone: ["utc"],
  nullable: ["null"],
  optional: ["null", "absent"],
  concurrency: ["if-match"],
  locking: ["if-match"],
  idempotent: ["idempotency-key"],
  retry: ["idempotency-key", "retry"],
  collation: ["collation", "order"],
  error: ["problem", "error"],
  envelope: ["envelope", "array"],
};
const shortest = 4; // The letters of a word from which on its beginning is enough.

const field = document.getElementById("search");
const found = document.getElementById("found");
const contents = document.querySelector(".contents");
const parts = [...document.querySelectorAll("[data-find]")].map((element) => ({
  element,
  text: element.textContent.toLowerCase(),
}));
const groups = [...document.querySelectorAll("[data-group]")];
const folds = [...document.querySelectorAll("main details:not(.contents)")];

// The word and those that the page may have instead.
function alternatives(word) {
  const meant = Object.keys(synonyms).filter((key) => key === word || (word.length >= shortest && key.startsWith(word)));
  return [word, ...meant.flatMap((key) => synonyms[key])];
}

function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean).map(alternatives);
  let number = 0;
  for (const fold of folds) {
    if (fold.foundBySearch) fold.open = false;
    fold.foundBySearch = false;
  }
  for (const { element, text } of parts) {
    const has = words.every((some) => some.some((word) => text.includes(word)));
    element.classList.toggle("hidden", !has);
    if (!has || !words.length) continue;
    number += 1;
    for (let fold = element.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      if (!fold.open) fold.open = fold.foundBySearch = true;
    }
  }
  for (const group of groups) {
    group.classList.toggle("hidden", words.length > 0 && !group.querySelector("[data-find]:not(.hidden)"));
  }
  document.body.classList.toggle("searching", words.length > 0);
  const others = new Set(words.flatMap(([, ...others]) => others));
  const also = others.size ? `, also by ${[...others].join(", ")}` : "";
  found.textContent = words.length ? `${number} found${also}` : "";
  mark();
}

// The search is in the address, so that a link leads to what it finds.
function remember() {
  const address = new URL(location.href);
  if (field.value) address.searchParams.set("q", field.value);
  else address.searchParams.delete("q");
  // A page that was opened as a file may not change its address.
  if (location.protocol !== "file:") history.replaceState(null, "", address);
}

// Shows the place that the address names: unfolds it, and ends a search that hides it.
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.closest(".hidden")) {
    field.value = "";
    remember();
    search();
  }
  for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  target.scrollIntoView();
}

// Marks the place of the contents that is in sight.
const places = [...contents.querySelectorAll("a")].map((link) => ({
  link,
  target: document.getElementById(link.hash.slice(1)),
}));
function mark() {
  const line = innerHeight / 4;
  const passed = places.filter(({ target }) => {
    const { top, height } = target.getBoundingClientRect();
    return height > 0 && top <= line;
  });
  const here = passed.at(-1)?.link;
  for (const { link } of places) {
    if (link === here) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  // Only the column scrolls, not the page.
  if (here) contents.scrollTop = here.offsetTop - contents.clientHeight / 3;
}
let isMarking = false;
function markSoon() {
  if (isMarking) return;
  isMarking = true;
  requestAnimationFrame(() => {
    isMarking = false;
    mark();
  });
}

field.hidden = false;
field.addEventListener("input", () => {
  remember();
  search();
});
addEventListener("hashchange", reveal);
addEventListener("scroll", markSoon, { passive: true });
contents.addEventListener("click", (event) => {
  if (event.target.closest("a")) contents.open = false;
});
let folded = [];
addEventListener("beforeprint", () => {
  folded = folds.filter((fold) => !fold.open);
  for (const fold of folded) fold.open = true;
});
addEventListener("afterprint", () => {
  for (const fold of folded) fold.open = false;
});

field.value = new URLSearchParams(location.search).get("q") ?? "";
search();
reveal();
