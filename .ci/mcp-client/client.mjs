// Usage: node client.mjs TRACEDECK CORPUS FOLDER
// What an agent does: lists the tools, finds why a session failed, and is told of
// a new error of a live recording within 3 s. Exits with 1 where that is not so.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const [tracedeck, corpus, folder] = process.argv.slice(2);
const wanted = ['open', 'list', 'actions', 'action', 'snapshot', 'network', 'body', 'console', 'errors', 'search', 'diff', 'audit', 'contract',
  'verify_start', 'verify_watch', 'verify_compare', 'snapshot_compare', 'script', 'bugreport', 'report', 'perf', 'watch'];

function must(ok, what) {
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${what}`);
  if (!ok) process.exitCode = 1;
}

async function until(what, least = 30000) {
  for (const end = Date.now() + least; Date.now() < end; await sleep(25)) {
    const got = await what();
    if (got) return got;
  }
}

async function session(transport, name) {
  const client = new Client({ name: 'tracedeck-check', version: '1' });
  const heard = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, n => { heard.push({ uri: n.params.uri, at: Date.now() }); });
  await client.connect(transport);
  const call = async (tool, args) => {
    const result = await client.callTool({ name: tool, arguments: args });
    if (result.isError) throw new Error(`${tool}: ${result.content[0].text}`);
    return result.structuredContent;
  };

  const tools = (await client.listTools()).tools;
  const missing = wanted.filter(w => !tools.some(t => t.name === w && t.inputSchema && t.outputSchema && t.description));
  must(missing.length === 0, `${name}: ${tools.length} tools with schemas ${missing.length ? `, not ${missing}` : ''}`);

  const path = `${corpus}/playwright/runner-failing-assertion.zip`;
  const trace = (await call('open', { path })).id;
  const failure = (await call('errors', { trace })).items.at(-1);
  must(failure?.hints?.some(h => h.rule === 'wrong-value'), `${name}: why it failed: ${failure?.waited}`);
  for (const [tool, args] of [['action', { action: failure.action }], ['snapshot', { action: failure.action }], ['network', {}], ['console', {}], ['search', { query: 'toHaveText' }],
    ['audit', {}], ['contract', {}], ['perf', {}], ['script', { as: 'test' }], ['bugreport', {}], ['watch', {}], ['verify_start', { label: name }]]) {
    must(await call(tool, { trace, ...args }), `${name}: ${tool}`);
  }
  await call('verify_watch', { verification: name, place: path });
  const verdict = await call('verify_compare', { verification: name });
  must(verdict.verdict === 'unchanged', `${name}: the same trace again is ${verdict.verdict}`);
  const prompt = await client.getPrompt({ name: 'why-did-it-fail', arguments: { trace: path } });
  must(prompt.messages[0].content.text.includes(path), `${name}: a prompt`);

  let broken = false;
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    if (request.url === '/state') return response.end(String(broken));
    response.end(`<title>live</title><h1>live</h1><script>
      const timer = setInterval(async () => { if (await (await fetch('/state')).text() === 'true') { clearInterval(timer); throw new Error('the cart is gone') } }, 50)</script>`);
  }).listen(0);
  await once(server, 'listening');
  const out = `${folder}/live-${name}.zip`;
  const recorder = spawn(tracedeck, ['record', '-q', '--headless', '-o', out, `http://localhost:${server.address().port}/`], { stdio: 'inherit' });
  await until(() => existsSync(`${out}.recording`) && readdirSync(`${out}.recording`).some(f => f.endsWith('.trace')));
  const live = (await call('open', { path: `${out}.recording` })).id;
  const uri = `tracedeck://events/${live}`;
  await client.subscribeResource({ uri });
  await until(async () => (await call('network', { trace: live })).items.some(r => r.url.endsWith('/state')));
  const since = Date.now();
  broken = true;
  const news = await until(() => heard.find(h => h.uri === uri && h.at >= since));
  must(news && news.at - since <= 3000, `${name}: told of a new error after ${news ? news.at - since : 'no'} ms`);
  const found = JSON.parse((await client.readResource({ uri })).contents[0].text).findings;
  must(found.some(f => f.message.includes('the cart is gone')), `${name}: it is ${found.map(f => f.message).join('; ')}`);
  recorder.kill('SIGINT');
  await once(recorder, 'exit');
  server.close();
  server.closeAllConnections();
  await client.close();
}

await session(new StdioClientTransport({ command: tracedeck, args: ['mcp'], env: process.env }), 'stdio');
const http = spawn(tracedeck, ['mcp', '--http', '127.0.0.1:0']);
const url = await new Promise(resolve => http.stdout.once('data', d => resolve(String(d).trim())));
await session(new StreamableHTTPClientTransport(new URL(url)), 'http');
const stranger = await fetch(url, { method: 'POST', headers: { origin: 'https://evil.example', 'content-type': 'application/json' }, body: '{}' });
must(stranger.status === 403, `a page of another origin is refused: ${stranger.status}`);
http.kill('SIGINT');
