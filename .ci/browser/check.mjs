// Opens the pages of a demo server in Chromium and uses them: `.ci/with-demo target/debug/rollcall-server .ci/browser/run`.
//
// BASE_URL and TOKEN name the server. With a folder as its argument it writes screenshots there.
import { chromium } from "playwright-core";
import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";

const base = process.env.BASE_URL;
const root = base.slice(0, -"/api/v1".length);
const folder = process.argv[2];
if (folder) await mkdir(folder, { recursive: true });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});

const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

// A page of one size and colour scheme. What it asks of other servers, what its policy forbids, and its errors are faults.
async function open(path, size = "desktop", colorScheme = "light") {
  const context = await browser.newContext({ viewport: sizes[size], colorScheme });
  const page = await context.newPage();
  page.faults = [];
  page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(root) && !url.startsWith("data:")) page.faults.push(`asks ${url}`);
  });
  await page.goto(root + path, { waitUntil: "networkidle" });
  page.done = async () => {
    assert.deepEqual(page.faults, [], `${path}, ${size}, ${colorScheme}`);
    await context.close();
  };
  return page;
}

async function shown(page, name) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `${name} is ${wide} px wider than the window`);
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}

// Whether an element is in the window, at least its upper part.
async function inSight(element, page) {
  const box = await element.boundingBox();
  const { height } = page.viewportSize();
  assert.ok(box && box.y >= 0 && box.y + Math.min(box.height, 40) <= height, `${JSON.stringify(box)} of ${height}`);
}

const checks = {
  async "every page fits each window in both colour schemes"() {
    for (const size of Object.keys(sizes)) {
      for (const scheme of ["light", "dark"]) {
        for (const [name, path, ready] of [
          ["start", "/", "h1"],
          ["reference", "/docs", ".tools"],
          ["review", "/docs/review", "#points details"],
        ]) {
          const page = await open(path, size, scheme);
          await page.waitForSelector(ready);
          await shown(page, `${name}-${size}-${scheme}`);
          await page.done();
        }
      }
    }
  },

  async "the start page leads to every other page"() {
    const page = await open("/");
    const links = await page.$$eval("a", (links) => links.map((link) => link.href));
    assert.ok(links.length >= 8, `${links.length} links`);
    for (const link of links) assert.equal((await page.request.get(link)).status(), 200, link);
    assert.ok((await page.textContent("main")).includes(base));
    await page.done();
  },

  async "the reference lists the users by a click, with the button and the answer in sight"() {
    for (const size of Object.keys(sizes)) {
      const page = await open(`/docs#token=${process.env.TOKEN}`, size);
      // The browser tells its new address a moment after the script of the page has set it.
      await page.waitForURL(`${root}/docs`);
      const users = page.locator("#listDirectoryUsers");
      await users.locator("> summary").click();
      await users.scrollIntoViewIfNeeded();
      // Each kind of parameter is folded, and a search by name unfolds its kind.
      assert.equal(await users.locator(".field:visible").count(), 0);
      await users.locator(".find input").fill("filter[state]");
      assert.equal(await users.locator(".field:visible").count(), 1);
      await users.locator('select[name="filter[state]"]').selectOption("active");
      await users.locator(".find input").fill("");
      assert.equal(await users.locator(".set:text('1 set')").count(), 1);
      await inSight(users.locator(".execute"), page);
      await users.locator(".execute").click();
      await users.locator(".status:text-matches('^200')").waitFor();
      const url = await users.locator(".request").textContent();
      assert.ok(url.startsWith(`GET ${base}/directory/users?`) && url.includes("filter%5Bstate%5D=active"), url);
      const answer = users.locator("pre.body");
      await inSight(answer, page);
      const text = await answer.textContent();
      assert.ok(text.includes("drusr_") && text.includes('"active"'), text.slice(0, 200));
      await shown(page, `try-it-out-${size}`);
      await page.done();
    }
  },

  async "the reference sends a body and headers, and shows the same as a command"() {
    const page = await open(`/docs#token=${process.env.TOKEN}`);
    await page.waitForURL(`${root}/docs`);
    const operation = page.locator("#deprecateDirectoryAttribute");
    await operation.locator("> summary").click();
    await operation.locator("[name=attribute]").fill("dratr_0");
    await operation.locator("[name=If-Match]").fill('"other"');
    await operation.locator("textarea").fill(`{"expires_at": "it's wrong"}`);
    const curl = await operation.locator(".curl code").textContent();
    for (const part of ["-X PATCH", "$TOKEN", "If-Match: \"other\"", "it'\\''s wrong", "/directory/attributes/dratr_0/deprecate"]) {
      assert.ok(curl.includes(part), `${part} is not in ${curl}`);
    }
    assert.ok(!curl.includes(process.env.TOKEN));
    await operation.locator(".execute").click();
    await operation.locator(".status:text-matches('^4[0-9][0-9]')").waitFor();
    const problem = JSON.parse(await operation.locator("pre.body").textContent());
    assert.equal(problem.instance, "/api/v1/directory/attributes/dratr_0/deprecate");
    page.faults = page.faults.filter((fault) => !/ 4[0-9][0-9] /.test(fault));
    await page.done();
  },

  async "without a token the reference shows the refusal"() {
    const page = await open("/docs#listDirectoryDimensions");
    const operation = page.locator("#listDirectoryDimensions");
    await operation.locator(".execute").click();
    await operation.locator(".status:text-matches('^401')").waitFor();
    page.faults = page.faults.filter((fault) => !fault.includes("401"));
    await page.done();
  },

  async "the reference asks how the server is"() {
    const page = await open("/docs#readyz");
    const operation = page.locator("#readyz");
    await operation.locator(".execute").click();
    await operation.locator(".status:text-matches('^200')").waitFor();
    assert.equal(await operation.locator(".request").textContent(), `GET ${root}/readyz`);
    await page.done();
  },

  async "the reference can be used by the keyboard alone"() {
    const page = await open("/docs#listDirectoryUsers");
    const users = page.locator("#listDirectoryUsers");
    await users.locator(".find input").focus();
    await page.keyboard.type("email_search");
    await page.keyboard.press("Tab"); // the heading of the kind
    await page.keyboard.press("Tab");
    await page.keyboard.type("quixwood");
    await page.keyboard.press("Enter");
    await users.locator(".status:text-matches('^401')").waitFor();
    assert.match(await users.locator(".request").textContent(), /filter%5Bemail_search%5D=quixwood$/);
    page.faults = page.faults.filter((fault) => !fault.includes("401"));
    await page.done();
  },

  async "the reference finds operations by a parameter"() {
    const page = await open("/docs");
    await page.fill("#search", "deprovisioned_pending_deactivation");
    assert.deepEqual(await page.locator(".operation:visible").evaluateAll((all) => all.map(({ id }) => id)), ["listDirectoryUsers"]);
    assert.equal(await page.textContent("#found"), "1 operation found");
    await page.done();
  },

  async "the pages show everything without a script"() {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: sizes.desktop });
    const page = await context.newPage();
    for (const [path, words] of [
      ["/docs", ["filter[email_search]", "Part of the email address"]],
      ["/docs/review", ["count/vcs_groups", "The length of the list"]],
    ]) {
      await page.goto(root + path);
      const text = await page.textContent("main");
      for (const word of words) assert.ok(text.includes(word), `${path}: ${word}`);
      assert.equal(await page.locator("button:visible, input:visible").count(), 0, path);
    }
    await context.close();
  },

  async "the review page finds every name of the specification"() {
    const page = await open("/docs/review");
    const table = await readFile(new URL("../../../server/pages/src/review/specified_names.txt", import.meta.url), "utf8");
    const names = table.split("\n\n")[1].split("\n").flatMap((line) => line.split(" ").slice(1)).filter(Boolean);
    assert.ok(names.length > 150, `${names.length} names`);
    const visible = page.locator("[data-find]:visible");
    for (const name of names) {
      await page.fill("#search", name);
      assert.ok((await visible.count()) > 0, name);
    }
    // Words that the page does not have, and what it has instead.
    for (const word of await page.evaluate("Object.keys(synonyms)")) {
      await page.fill("#search", word);
      assert.ok((await visible.count()) > 0, word);
    }
    await page.done();
  },

  async "a search of the review page is in its address, unfolds what it finds, and folds it again"() {
    const page = await open("/docs/review?q=webhook");
    assert.equal(await page.inputValue("#search"), "webhook");
    assert.ok(await page.locator("#A7").evaluate((point) => point.open));
    await page.fill("#search", "filter[email_search]");
    // Playwright hears of the new address a moment after the page has set it.
    await page.waitForURL((url) => url.searchParams.get("q") === "filter[email_search]");
    const rows = page.locator("tr[data-find]:visible");
    assert.ok((await rows.count()) > 0);
    await shown(page, "review-search");
    await page.fill("#search", "");
    await page.waitForURL((url) => url.search === "");
    assert.equal(await page.locator("main details[open]").count(), 0);
    assert.equal(await rows.count(), 0);
    await page.done();
  },

  async "the review page is short until it is unfolded, and shows where one is"() {
    // A quarter of what the page took before it was folded.
    for (const [size, longest] of [["desktop", 16_000], ["phone", 32_000]]) {
      const page = await open("/docs/review", size);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      assert.ok(height <= longest, `${height} px on a ${size}`);
      await page.evaluate(() => document.getElementById("clause-4.4.8").scrollIntoView());
      const here = page.locator(".contents [aria-current]");
      await page.waitForFunction(() => document.querySelector(".contents [aria-current]")?.hash === "#clause-4.4.8");
      assert.equal(await here.isVisible(), size === "desktop");
      await page.done();
    }
  },

  async "a print of the review page has what is folded"() {
    const page = await open("/docs/review");
    const row = page.locator("tr", { hasText: "count/vcs_groups" });
    assert.equal(await row.isVisible(), false);
    await page.emulateMedia({ media: "print" });
    assert.equal(await row.isVisible(), true);
    await page.done();
  },

  async "every link of the review page leads somewhere"() {
    const page = await open("/docs/review");
    const broken = await page.$$eval("main a", (links) =>
      links.map((link) => link.getAttribute("href")).filter((href) => !document.getElementById(href.slice(1))),
    );
    assert.deepEqual(broken, []);
    await page.done();
  },
};

let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  try {
    await check();
    console.log(`ok    ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}\n      ${error.stack}`);
  }
}
await browser.close();
process.exitCode = failed ? 1 : 0;
