// How quick the index of a site is in Chromium: a line of JSON with the milliseconds until it is painted first
// and until its table is there, and those of the slowest of many keystrokes, typed as people do: what the
// script and the layout take, and from the key to the picture (Event Timing, in steps of 8 ms; those below
// 16 are 0). For scripts/pages --pace.
//
//   node pace.mjs BROWSER SITE
import { chromium } from 'playwright-core';

const WORDS = ['vaddp', 'gr64', 'mov memory', 'zzz', 'v', 'k'];

const [executablePath, site] = process.argv.slice(2);
const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];
const browser = await chromium.launch({ executablePath, args });
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
await page.goto(`file://${site}/index.html`);
const shown = await page.evaluate(async () => {
  await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  window.pace = { keys: [], pictures: [] };
  new PerformanceObserver(list => {
    for (const { name, duration } of list.getEntries()) if (name === 'input') window.pace.pictures.push(duration);
  }).observe({ type: 'event', durationThreshold: 16 });
  // Before the page's own listener, and after it.
  const field = document.getElementById('words');
  let start;
  addEventListener('input', () => { start = performance.now(); }, true);
  addEventListener('input', () => {
    document.body.getBoundingClientRect();
    window.pace.keys.push(performance.now() - start);
  });
  field.focus();
  const [first] = performance.getEntriesByName('first-contentful-paint');
  const [{ domContentLoadedEventEnd: table }] = performance.getEntriesByType('navigation');
  return { forms: document.getElementById('count').textContent, firstPaint: first.startTime, table };
});
for (const words of WORDS) {
  await page.keyboard.type(words, { delay: 60 });
  for (const _ of words) await page.keyboard.press('Backspace', { delay: 60 });
}
const { keys, pictures } = await page.evaluate(async () => {
  await new Promise(done => setTimeout(done, 200));
  return window.pace;
});
await browser.close();
keys.sort((one, other) => one - other);
const rounded = value => Math.round(10 * value) / 10;
console.log(JSON.stringify({
  forms: shown.forms,
  firstPaint: rounded(shown.firstPaint),
  table: rounded(shown.table),
  keystrokes: keys.length,
  medianKey: rounded(keys[keys.length >> 1]),
  slowestKey: rounded(keys.at(-1)),
  slowestPicture: Math.max(0, ...pictures),
}));
