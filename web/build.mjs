// Builds the front end into dist, the same bytes from the same sources.
//
//   node build.mjs           build
//   node build.mjs --check   does dist hold what the sources give?
//   node build.mjs --watch   build again when a source changes
//   node build.mjs --tests   bundle the unit tests into out/test
import { build, context } from "esbuild";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, "dist");
process.chdir(root);

const common = { bundle: true, minify: true, write: false, target: ["chrome120", "firefox121", "safari17"], legalComments: "none", charset: "utf8", logLevel: "error" };

// sources lists the TypeScript files of a folder that are entries: those that
// are neither tests nor declarations.
async function sources(folder) {
  const names = await readdir(join(root, folder)).catch(() => []);
  return names.filter((n) => /\.tsx?$/.test(n) && !/\.(test|d)\.tsx?$/.test(n)).sort().map((n) => `${folder}/${n}`);
}

const viewer = { ...common, entryPoints: { viewer: "viewer/main.tsx" }, format: "esm", jsx: "automatic", jsxImportSource: "preact", outdir: dist };

async function made() {
  const files = new Map();
  const put = (result, folder) => { for (const f of result.outputFiles) files.set(join(folder, basename(f.path)), f.contents); };
  put(await build(viewer), "");
  put(await build({ ...common, entryPoints: { boot: "viewer/boot.ts" }, format: "iife", outdir: dist }), "");
  put(await build({ ...common, entryPoints: { inspect: "viewer/inspect/page.ts" }, format: "iife", outdir: dist }), "");
  files.set("viewer.html", await readFile(join(root, "viewer/viewer.html")));
  put(await build({ ...common, entryPoints: ["report/report.ts"], format: "iife", outdir: join(dist, "report") }), "report");
  const scripts = await sources("inject");
  if (scripts.length > 0) put(await build({ ...common, entryPoints: scripts, format: "iife", outdir: join(dist, "inject") }), "inject");
  return files;
}

async function check() {
  const stale = [];
  for (const [name, bytes] of await made()) {
    const there = await readFile(join(dist, name)).catch(() => undefined);
    if (!there || Buffer.compare(there, bytes) !== 0) stale.push(name);
  }
  if (stale.length > 0) {
    console.error(`web/dist is not what the sources give: ${stale.join(", ")}\nrun: cd web && node build.mjs`);
    process.exit(1);
  }
}

// The budget of the first screen, in bytes after gzip.
const budget = { "viewer.js": 90_000, "viewer.css": 15_000 };

async function write() {
  for (const [name, bytes] of await made()) {
    await mkdir(dirname(join(dist, name)), { recursive: true });
    await writeFile(join(dist, name), bytes);
    const size = gzipSync(bytes).length;
    console.log(`${name} ${bytes.length} bytes, ${size} gzip`);
    if (size > (budget[name] ?? Infinity)) throw new Error(`${name} is over its budget of ${budget[name]} bytes`);
  }
}

async function tests() {
  await rm(join(root, "out/test"), { recursive: true, force: true });
  const names = [];
  for (const folder of ["inject", "viewer"]) {
    for (const n of (await readdir(join(root, folder), { recursive: true })).sort()) if (/\.test\.tsx?$/.test(n)) names.push(`${folder}/${n}`);
  }
  await build({ ...common, minify: false, write: true, entryPoints: names, outdir: "out/test", outbase: ".", format: "esm",
    platform: "node", target: "node20", outExtension: { ".js": ".mjs" }, jsx: "automatic", jsxImportSource: "preact" });
}

const [flag] = process.argv.slice(2);
if (flag === "--check") await check();
else if (flag === "--tests") await tests();
else if (flag === "--watch") await (await context({ ...viewer, write: true })).watch();
else await write();
