// Search: hides what does not have the words. Without this script the page is complete.
"use strict";

const field = document.getElementById("search");
const found = document.getElementById("found");
const parts = [...document.querySelectorAll("[data-find]")].map((element) => ({
  element,
  text: element.textContent.toLowerCase(),
}));
const sections = [...document.querySelectorAll("main section section, main article.list, main h4 + .wide, main h4 + p + .wide")];

function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let number = 0;
  for (const { element, text } of parts) {
    const has = words.every((word) => text.includes(word));
    element.classList.toggle("hidden", !has);
    number += has ? 1 : 0;
  }
  document.body.classList.toggle("searching", words.length > 0);
  for (const section of sections) {
    const empty = words.length > 0 && !section.querySelector("[data-find]:not(.hidden)");
    section.classList.toggle("hidden", empty);
  }
  found.textContent = words.length ? `${number} found` : "";
}

field.hidden = false;
field.addEventListener("input", search);
// A link to a part that the search hides shows it again.
addEventListener("hashchange", () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.closest(".hidden")) {
    field.value = "";
    search();
    target.scrollIntoView();
  }
});
