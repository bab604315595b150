import React from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { Writable } from 'node:stream';
import { Page } from './page.jsx';
const pieces = ['<!doctype html><meta charset="utf-8"><title>ssr</title><div id="root">'];
const to = new Writable({ write(data, _, done) { pieces.push(String(data)); done(); }, final(done) { pieces.push('</div>'); console.log(JSON.stringify(pieces)); done(); } });
const { pipe } = renderToPipeableStream(<Page />, { bootstrapModules: ['/ssr.js'], onShellReady() { pipe(to); } });
