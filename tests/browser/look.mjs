// Looks at pages of a site in Chromium as people do: light and dark, on a desk and on a phone. Prints a JSON
// array of what is wrong: violations of accessibility (axe-core), errors on the console, and requests to
// anything that is not a file.
//
//   node look.mjs BROWSER SITE PAGE...
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];
const screens = [{ width: 1280, height: 900 }, { width: 390, height: 844 }];

const [executablePath, site, ...pages] = process.argv.slice(2);
const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];
const browser = await chromium.launch({ executablePath, args });
const wrong = [];
for (const colorScheme of ['light', 'dark']) {
  for (const viewport of screens) {
    const page = await browser.newPage({ colorScheme, viewport });
    let at = '';
    const note = (what, detail) => wrong.push({ page: at, colorScheme, width: viewport.width, what, detail });
    page.on('console', message => message.type() === 'error' && note('console', message.text()));
    page.on('pageerror', error => note('error', String(error)));
    page.on('request', request => request.url().startsWith('file:') || note('request', request.url()));
    for (at of pages) {
      await page.goto(`file://${site}/${at}`);
      const widest = await page.evaluate('document.documentElement.scrollWidth');
      if (widest > viewport.width) note('scrolls sideways', `${widest} pixels`);
      await page.evaluate("document.querySelectorAll('details').forEach(it => { it.open = true; })");
      await page.addScriptTag({ path: axe });
      const { violations } = await page.evaluate(only => axe.run({ runOnly: only, preload: false }), rules);
      for (const { id, help, nodes } of violations) note(id, `${help}: ${nodes[0].html} (${nodes.length})`);
    }
    await page.close();
  }
}
await browser.close();
console.log(JSON.stringify(wrong, null, 1));
