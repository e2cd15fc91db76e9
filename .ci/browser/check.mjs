// Opens the pages of a demo server in Chromium and uses them: `.ci/with-demo target/debug/rollcall-server .ci/browser/run`.
//
// BASE_URL and TOKEN name the server. With a folder as its argument it writes screenshots there.
import { chromium } from "playwright-core";
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";

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

const checks = {
  async "every page fits each window in both colour schemes"() {
    for (const size of Object.keys(sizes)) {
      for (const scheme of ["light", "dark"]) {
        for (const [name, path, ready] of [
          ["start", "/", "h1"],
          ["reference", "/docs", ".opblock-tag-section"],
          ["review", "/docs/review", "#points article"],
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

  async "the reference lists the users by a click"() {
    const page = await open(`/docs#token=${process.env.TOKEN}`);
    // The browser tells its new address a moment after the script of the page has set it.
    await page.waitForURL(`${root}/docs`);
    await page.click("#operations-Directory-listDirectoryUsers .opblock-summary-control");
    await page.selectOption('tr[data-param-name="filter[state]"] select', "active");
    await page.click("#operations-Directory-listDirectoryUsers button.execute");
    const status = await page.waitForSelector(".live-responses-table tbody .response-col_status");
    assert.match(await status.textContent(), /^200/);
    const url = await page.textContent(".request-url pre");
    assert.ok(url.startsWith(`${base}/directory/users?`) && url.includes("filter%5Bstate%5D=active"), url);
    const answer = await page.textContent(".live-responses-table tbody .highlight-code code");
    assert.ok(answer.includes("drusr_") && answer.includes('"active"'), answer.slice(0, 200));
    await status.evaluate((element) => element.scrollIntoView());
    await shown(page, "try-it-out");
    await page.done();
  },

  async "without a token the reference shows the refusal"() {
    const page = await open("/docs");
    await page.click("#operations-Directory-listDirectoryDimensions .opblock-summary-control");
    await page.click("#operations-Directory-listDirectoryDimensions button.execute");
    const status = await page.waitForSelector(".live-responses-table tbody .response-col_status");
    assert.match(await status.textContent(), /^401/);
    page.faults = page.faults.filter((fault) => !fault.includes("401"));
    await page.done();
  },

  async "the reference asks how the server is"() {
    const page = await open("/docs");
    const operation = 'div.opblock:has(span[data-path="/readyz"])';
    await page.click(`${operation} .opblock-summary-control`);
    await page.click(`${operation} button.execute`);
    const status = await page.waitForSelector(`${operation} .live-responses-table tbody .response-col_status`);
    assert.match(await status.textContent(), /^200/);
    assert.equal(await page.textContent(`${operation} .request-url pre`), `${root}/readyz`);
    await page.done();
  },

  async "the review page finds by search"() {
    const page = await open("/docs/review");
    const visible = () => page.locator("[data-find]:visible").count();
    const all = await visible();
    await page.fill("#search", "filter[email_search]");
    const some = await visible();
    assert.ok(some > 0 && some < all / 10, `${some} of ${all}`);
    await shown(page, "review-search");
    await page.fill("#search", "");
    assert.equal(await visible(), all);
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
