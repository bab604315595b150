// Records a flow with Playwright's tracing and, at the same time, with tracedeck record:
// record.mjs FLOW TRACING.zip RECORDED.zip
import { chromium } from '@playwright/test';
import { spawn } from 'node:child_process';
import http from 'node:http';
import { flows } from './flows.mjs';
const [name, tracing, recorded] = process.argv.slice(2);
const free = () => new Promise(done => { const s = http.createServer().listen(0, '127.0.0.1', () => { const { port } = s.address(); s.close(() => done(port)); }); });
const port = await free();
const browser = await chromium.launch({ executablePath: process.env.BROWSER_PATH, args: ['--no-sandbox', '--disable-gpu', '--remote-debugging-port=' + port], slowMo: 300 }); // as fast as people are, at the most
const recorder = spawn(process.env.TRACEDECK, ['record', '--port', port, '--no-overlay', '-o', recorded], { stdio: ['ignore', 'pipe', 'pipe'] });
let told = '';
recorder.stderr.on('data', d => { told += d; }); recorder.stdout.on('data', d => { told += d; });
const gone = new Promise(done => recorder.on('exit', done));
for (let i = 0; i < 200 && !/record/i.test(told); i++) await new Promise(done => setTimeout(done, 50));
const context = await browser.newContext({ viewport: { width: 900, height: 600 } });
await context.tracing.start({ screenshots: true, snapshots: true });
const page = await context.newPage();
page.setDefaultTimeout(15000);
await page.waitForTimeout(1000);
try {
  await flows[name](page, process.env.BASE_URL);
  await page.waitForTimeout(700);
} finally {
  await context.tracing.stop({ path: tracing });
  recorder.kill('SIGINT');
  await gone;
  await browser.close();
  if (process.env.TOLD) console.log(told);
}
