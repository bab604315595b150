// node pixelmatch.mjs A.png B.png: the count of the npm package, as a program of its own.
// Packages are found from the folder in PEERS, which has pixelmatch and pngjs in its node_modules.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const require = createRequire(pathToFileURL((process.env.PEERS || process.cwd()) + '/peers.js'));
const {PNG} = require('pngjs');
const {default: pixelmatch} = await import(pathToFileURL(require.resolve('pixelmatch')).href);
const [a, b] = process.argv.slice(2).map(path => PNG.sync.read(readFileSync(path)));
console.log(pixelmatch(a.data, b.data, null, a.width, a.height, {threshold: 0.1}));
