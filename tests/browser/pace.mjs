// How quick the index of a site is in Chromium: a line of JSON with the milliseconds until it is painted first
// and until its table is there, and those of the slowest of some keystrokes. For scripts/bench.
//
//   node pace.mjs BROWSER SITE
import { chromium } from 'playwright-core';

const [executablePath, site] = process.argv.slice(2);
const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];
const browser = await chromium.launch({ executablePath, args });
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
await page.goto(`file://${site}/index.html`);
const pace = await page.evaluate(async () => {
  const painted = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  await painted();
  const field = document.getElementById('words');
  const keys = [];
  for (const text of ['v', 'va', 'vad', 'vadd', 'vaddp', 'gr64', 'zzz', '']) {
    const start = performance.now();
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    document.body.getBoundingClientRect();
    keys.push(performance.now() - start);
    await painted();
  }
  const [first] = performance.getEntriesByName('first-contentful-paint');
  const [{ domContentLoadedEventEnd: table }] = performance.getEntriesByType('navigation');
  const forms = document.getElementById('count').textContent;
  return { firstPaint: first.startTime, table, slowestKey: Math.max(...keys), forms };
});
await browser.close();
console.log(JSON.stringify(pace));
