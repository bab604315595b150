// Starts Chromium for Playwright with a port that a recorder can attach to,
// and the recorder.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const core = process.env.PW_CORE ? path.resolve(process.env.PW_CORE) : ''; // what needs no Playwright does without
export const playwright = core && require(core);
export const viewer = path.join(core, 'lib', 'vite', 'traceViewer');

export async function freePort() {
  const s = net.createServer();
  await new Promise(r => s.listen(0, '127.0.0.1', r));
  const { port } = s.address();
  await new Promise(r => s.close(r));
  return port;
}

export function chromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const dir of (process.env.PATH ?? '').split(path.delimiter)) {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'chrome']) {
      if (fs.existsSync(path.join(dir, name))) return path.join(dir, name);
    }
  }
  throw new Error('no Chromium on the PATH; name one with CHROMIUM=');
}

export async function launch(port) {
  return playwright.chromium.launch({ executablePath: chromium(), args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync', ...(port ? [`--remote-debugging-port=${port}`] : [])] });
}

// record attaches tracedeck; the function that it returns ends the recording.
export async function record(port, out, more = []) {
  const p = spawn(process.env.TRACEDECK, ['record', '--port', String(port), '-o', out, ...more], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const ended = new Promise(r => p.on('exit', r));
  await new Promise((resolve, reject) => {
    p.stderr.on('data', d => { said += d; if (/Ctrl-C/.test(said)) resolve(); });
    ended.then(() => reject(new Error('the recorder ended: ' + said)));
  });
  return async () => { p.kill('SIGINT'); await ended; return { said, usage: p.resourceUsage?.() }; };
}
