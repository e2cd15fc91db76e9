// Without this script everything can be read; it adds search, filter, copying, and links to single checks.
// The filter stands in the address, as #outcome=failed&text=E1, so that a view can be passed on.
"use strict";
(() => {
  const root = document.documentElement;
  const form = document.querySelector(".filter");
  const shown = form.querySelector(".shown");
  const unfold = form.elements.unfold;
  const checks = [...document.querySelectorAll(".check")];
  const groups = [...document.querySelectorAll(".group")];
  const texts = new Map(checks.map((check) => [check, check.textContent.toLowerCase()]));
  root.classList.add("js");
  form.hidden = false;

  const fold = (open) => {
    for (const check of checks) if (!check.hidden) check.open = open;
    for (const group of groups) group.open = open;
    unfold.setAttribute("aria-pressed", String(open));
    unfold.textContent = open ? "Fold" : "Unfold";
  };

  const apply = () => {
    const outcome = form.elements.outcome.value;
    const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const check of checks) {
      const text = texts.get(check);
      const fits = (!outcome || check.dataset.outcome === outcome) && words.every((word) => text.includes(word));
      check.hidden = !fits;
      count += fits ? 1 : 0;
    }
    for (const group of groups) {
      group.hidden = !group.querySelector(".check:not([hidden])");
      if (outcome || words.length) group.open = true;
    }
    for (const link of document.querySelectorAll(".counts a")) {
      if (outcome && link.dataset.outcome === outcome) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    shown.textContent = count === checks.length ? `${count} checks` : `${count} of ${checks.length} checks`;
  };

  const remember = () => {
    const view = new URLSearchParams();
    for (const name of ["outcome", "text"]) {
      if (form.elements[name].value) view.set(name, form.elements[name].value);
    }
    const hash = view.size ? `#${view}` : location.pathname + location.search;
    try { history.replaceState(null, "", hash); } catch { /* some viewers of files forbid it */ }
    apply();
  };

  const follow = (jump) => {
    const hash = location.hash.slice(1);
    const view = new URLSearchParams(hash);
    if (view.has("outcome") || view.has("text")) {
      form.elements.outcome.value = view.get("outcome") ?? "";
      form.elements.text.value = view.get("text") ?? "";
      apply();
      if (jump) document.getElementById("checks").scrollIntoView();
      return;
    }
    const target = hash && document.getElementById(hash);
    if (target && target.matches(".check")) {
      if (target.hidden) { form.elements.outcome.value = form.elements.text.value = ""; apply(); }
      target.closest(".group").open = true;
      target.open = true;
      target.scrollIntoView();
    }
  };

  form.addEventListener("input", remember);
  form.addEventListener("reset", () => setTimeout(remember));
  form.addEventListener("submit", (event) => event.preventDefault());
  unfold.addEventListener("click", () => fold(unfold.getAttribute("aria-pressed") !== "true"));
  addEventListener("hashchange", () => follow(true));
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });

  for (const command of document.querySelectorAll(".command")) {
    if (!navigator.clipboard) { root.classList.remove("js"); break; }
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Copy" });
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(command.querySelector("pre").textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    command.append(button);
  }

  apply();
  follow(true);
})();
