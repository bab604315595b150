// Opens a recording in Playwright's own viewer.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { launch, viewer } from './browser.mjs';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.svg': 'image/svg+xml', '.webmanifest': 'application/manifest+json' };

// shown says whether the viewer shows text after the action of that title, how
// many rows there are, and how many pictures.
export async function shown(zip, title, text) {
  const server = http.createServer((req, res) => {
    const p = new URL(req.url, 'http://x').pathname, file = p === '/trace.zip' ? zip : path.join(viewer, path.normalize(p === '/' ? '/index.html' : p));
    if (!fs.existsSync(file)) { res.writeHead(404); res.end(); return; }
    res.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' });
    res.end(fs.readFileSync(file));
  });
  await new Promise(r => server.listen(0, '127.0.0.1', r));
  const base = `http://127.0.0.1:${server.address().port}`, browser = await launch(), page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  await page.goto(`${base}/index.html?trace=${encodeURIComponent(base + '/trace.zip')}`);
  const rows = page.locator('.action-title');
  await rows.first().waitFor({ timeout: 60000 });
  const named = rows.filter({ hasText: title });
  let found = '';
  for (let k = 0; k < await named.count() && !found.includes(text); k++) {
    await named.nth(k).click();
    await page.locator('.tabbed-pane-tab', { hasText: 'After' }).first().click().catch(() => {});
    for (let i = 0; i < 15 && !found.includes(text); i++) {
      await page.waitForTimeout(200);
      for (const f of page.frames().slice(1)) found += await f.evaluate(() => document.body?.innerText ?? '').catch(() => '');
    }
  }
  const film = await page.locator('.film-strip-lane .film-strip-frame, .film-strip-frame').count(), count = await rows.count();
  await browser.close();
  server.closeAllConnections(); server.close();
  return { text: found.includes(text), rows: count, film };
}
