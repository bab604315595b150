// Builds the apps into the folder named by the first argument.
import * as esbuild from 'esbuild';
import { writeFileSync, readFileSync, mkdirSync, existsSync, copyFileSync } from 'node:fs';
import { compile } from 'svelte/compiler';
import { execFileSync } from 'node:child_process';
const dist = process.argv[2];
mkdirSync(dist, { recursive: true });
const define = { 'process.env.NODE_ENV': '"production"', __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false', __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false' };
const svelte = { name: 'svelte', setup: b => b.onLoad({ filter: /\.svelte$/ }, a => ({ contents: compile(readFileSync(a.path, 'utf8'), { filename: a.path, generate: 'client', css: 'injected' }).js.code, loader: 'js' })) };
const common = { plugins: [svelte], conditions: ['svelte', 'browser'], bundle: true, minify: true, define, jsx: 'transform', loader: { '.woff': 'dataurl' } };
const apps = ['todo', 'cssinjs', 'grid', 'date', 'stream', 'ssr', 'frames', 'child', 'board', 'outside', 'motion', 'chart', 'scene', 'tween', 'element', 'attributes', 'force', 'slides', 'bodies'];
await esbuild.build({ ...common, entryPoints: apps.map(a => 'src/' + a + (existsSync(`src/${a}.jsx`) ? '.jsx' : '.js')), outdir: dist, splitting: true, format: 'esm', alias: { vue: 'vue/dist/vue.esm-bundler.js' } });
await esbuild.build({ ...common, entryPoints: { todo18: 'src/todo.jsx' }, outdir: dist, splitting: true, format: 'esm', chunkNames: 'eighteen-[hash]',
  alias: { react: 'react18', 'react-dom': 'react-dom18' } });
for (const a of [...apps, 'todo18']) {
  const css = existsSync(`${dist}/${a}.css`) ? `<link rel="stylesheet" href="/${a}.css">` : '';
  writeFileSync(`${dist}/${a}.html`, `<!doctype html><meta charset="utf-8"><title>${a}</title>${css}<body style="font:14px sans-serif"><div id="root"></div><script type="module" src="/${a}.js"></script>`);
}
await esbuild.build({ ...common, conditions: [], entryPoints: ['src/prerender.jsx'], outfile: dist + '/prerender.cjs', platform: 'node', format: 'cjs' });
writeFileSync(dist + '/ssr.json', execFileSync(process.execPath, [dist + '/prerender.cjs']));
copyFileSync('src/worker.js', dist + '/worker.js');
