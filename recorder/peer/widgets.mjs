// Serves pages of further libraries: native controls, Vuetify, Material UI,
// AG Grid, Shoelace, Quill, Monaco, SortableJS, jQuery UI, dnd-kit, Svelte,
// PrimeVue, Angular Material, menus that open under the mouse, frames in frames, and ways between pages.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

export const packages = ['vue@3', 'vuetify@3', '@mui/material@5', '@emotion/react@11', '@emotion/styled@11', 'react@18', 'react-dom@18', 'ag-grid-community@32',
  '@shoelace-style/shoelace@2', 'quill@2', 'monaco-editor@0.52', 'sortablejs@1', 'jquery@3', 'jquery-ui@1.13', '@dnd-kit/core@6', '@dnd-kit/sortable@10', 'svelte@5', 'primevue@4', '@primeuix/themes@2',
  ...['core', 'common', 'compiler', 'platform-browser', 'animations', 'forms', 'material', 'cdk'].map(name => `@angular/${name}@19`), 'zone.js@0.15', 'rxjs@7', 'esbuild@0.25'];

const head = title => `<!doctype html><html lang=en><meta charset=utf-8><title>${title}</title><style>body{font-family:sans-serif}</style>`;
const link = href => `<link rel=stylesheet href=/npm/${href}>`, script = src => `<script src=/npm/${src}></script>`;

const pages = {
  native: head('Native') + `<form onsubmit="event.preventDefault(); console.log('sent')">
<label>Day <input type=date></label> <label>Hour <input type=time></label> <label>Month <input type=month></label> <label>Volume <input type=range min=0 max=10 value=2></label>
<label>Colour <input type=color></label> <label>Pieces <input type=number value=1></label> <label>Paper <input type=file></label> <label>Town <input list=towns></label><datalist id=towns><option>Bern<option>Basel</datalist>
<label>Tone <select onchange="console.log('tone', value)"><option>Red<option>Green<option>Grey<option>Blue</select></label> <label>Days off <select multiple><option>Mon<option>Tue<option>Wed</select></label>
<label>Notes <textarea></textarea></label> <div contenteditable role=textbox aria-label=Letter style="border:1px solid;min-height:2em"></div>
<fieldset><legend>Size</legend><label><input type=radio name=size value=s>Small</label><label><input type=radio name=size value=l>Large</label></fieldset>
<details><summary>More</summary><p>More of it</p></details><button type=button id=plus onclick="count.textContent++">Add one</button><output id=count>0</output>
<button type=button onclick="box.showModal()">Ask</button><button type=button popovertarget=pop>Tips</button><div popover id=pop><button type=button onclick="pop.hidePopover()">Close tips</button></div>
<button type=button ondblclick="this.textContent='Opened'">Open me</button><button>Send</button></form>
<dialog id=box><form method=dialog><p>Sure?</p><button value=yes>Yes</button></form></dialog>`,

  vuetify: head('Vuetify') + link('vuetify/dist/vuetify.min.css') + `<div id=app></div>${script('vue/dist/vue.global.prod.js')}${script('vuetify/dist/vuetify.min.js')}<script>
Vue.createApp({data: () => ({fruit: null, town: null, on: false, level: 20, tab: 'one', ask: false}), template: \`<v-app><v-main class="pa-4"><v-select v-model="fruit" label="Fruit" :items="['Apple', 'Pear', 'Plum']"/>
<v-autocomplete v-model="town" label="Town" :items="['Athens', 'Berlin', 'Bergen', 'Cairo']"/><v-switch v-model="on" label="Alerts"/><v-slider v-model="level" label="Level" :max="100" style="max-width:400px"/>
<v-tabs v-model="tab"><v-tab value="one">First</v-tab><v-tab value="two">Second</v-tab></v-tabs><p>{{tab}}</p>
<v-menu><template #activator="{props}"><v-btn v-bind="props">Options</v-btn></template><v-list><v-list-item title="Rename"/><v-list-item title="Archive" @click="ask = true"/></v-list></v-menu>
<v-dialog v-model="ask" width="300"><v-card title="Archive it?"><v-card-actions><v-btn @click="ask = false">Keep</v-btn></v-card-actions></v-card></v-dialog></v-main></v-app>\`}).use(Vuetify.createVuetify()).mount('#app');</script>`,

  mui: head('Material') + `<div id=app></div><script type=module src=/built/mui.js></script>`,
  dnd: head('Cards') + `<div id=app></div><script type=module src=/built/dnd.js></script>`,
  svelte: head('Svelte') + `<div id=app></div><script type=module src=/built/svelte.js></script>`,

  prime: head('Prime') + `<div id=app></div><script type=module src=/built/prime.js></script>`,
  angular: head('Angular') + link('@angular/material/prebuilt-themes/azure-blue.css') + `<app-root></app-root><script type=module src=/built/angular.js></script>`,

  aggrid: head('Grid') + `<div id=grid class=ag-theme-quartz style="height:300px;width:700px"></div>${script('ag-grid-community/dist/ag-grid-community.min.js')}<script>
agGrid.createGrid(grid, {columnDefs: [{field: 'name', checkboxSelection: true, filter: true, editable: true}, {field: 'price', sortable: true}, {field: 'kind', editable: true, cellEditor: 'agSelectCellEditor', cellEditorParams: {values: ['A', 'B', 'C']}}],
  rowData: Array.from({length: 300}, (_, i) => ({name: 'Thing ' + (i + 1), price: (i * 71) % 500, kind: 'ABC'[i % 3]})), rowSelection: 'multiple', suppressColumnVirtualisation: true,
  onCellValueChanged: e => console.log('changed', e.colDef.field, e.newValue), onSelectionChanged: e => console.log('selected', e.api.getSelectedRows().length)});</script>${link('ag-grid-community/styles/ag-grid.css')}${link('ag-grid-community/styles/ag-theme-quartz.css')}`,

  shoelace: head('Shoelace') + link('@shoelace-style/shoelace/cdn/themes/light.css') + `<script type=module src=/npm/@shoelace-style/shoelace/cdn/shoelace-autoloader.js></script>
<sl-select label=Animal style="width:200px"><sl-option value=cat>Cat</sl-option><sl-option value=dog>Dog</sl-option></sl-select><sl-switch>Sound</sl-switch><sl-rating label=Rating></sl-rating>
<sl-tab-group><sl-tab slot=nav panel=a>General</sl-tab><sl-tab slot=nav panel=b>Advanced</sl-tab><sl-tab-panel name=a>General things</sl-tab-panel><sl-tab-panel name=b>Advanced things</sl-tab-panel></sl-tab-group>
<sl-dropdown><sl-button slot=trigger caret>Edit</sl-button><sl-menu><sl-menu-item value=cut>Cut it</sl-menu-item><sl-menu-item value=glue>Glue it</sl-menu-item></sl-menu></sl-dropdown>
<sl-details summary="Read on">There is more.</sl-details><sl-dialog label=Notice id=d>Be careful.<sl-button slot=footer onclick="d.hide()">Understood</sl-button></sl-dialog><sl-button onclick="d.show()">Warn me</sl-button>
<script>document.addEventListener('sl-select', e => console.log('chosen', e.detail.item.value));</script>`,

  quill: head('Quill') + link('quill/dist/quill.snow.css') + `<div id=editor style="height:120px"></div>${script('quill/dist/quill.js')}<script>new Quill('#editor', {theme: 'snow'});</script>`,
  monaco: head('Monaco') + `<div id=code style="height:200px;width:600px"></div>${script('monaco-editor/min/vs/loader.js')}<script>require.config({paths: {vs: '/npm/monaco-editor/min/vs'}});
require(['vs/editor/editor.main'], () => { const e = monaco.editor.create(code, {value: 'const a = 1;\\n', language: 'javascript'}); e.onDidChangeModelContent(() => console.log(e.getValue().length)); });</script><button>Run</button>`,

  sort: head('Sort') + link('jquery-ui/dist/themes/base/jquery-ui.min.css') + `<style>li,.box{padding:8px;border:1px solid;width:150px;user-select:none}.zone{width:200px;height:60px;border:2px dashed}</style>
<ul id=list><li>Alpha<li>Beta<li>Gamma</ul><div id=from class=box draggable=true>Parcel</div><div id=to class=zone>Post office</div>
<div id=jui class=box>Chip</div><div id=hole class=zone>Hole</div><div id=slide style="width:300px;margin:20px"></div><label>Due <input id=due></label><canvas id=pad width=300 height=120 style="border:1px solid"></canvas><p>Some text that can be selected.</p>
${script('sortablejs/Sortable.min.js')}${script('jquery/dist/jquery.min.js')}${script('jquery-ui/dist/jquery-ui.min.js')}<script>
new Sortable(list, {onEnd: e => console.log('moved', e.oldIndex, e.newIndex)});
from.ondragstart = e => e.dataTransfer.setData('text/plain', 'parcel'); to.ondragover = e => e.preventDefault(); to.ondrop = e => { e.preventDefault(); console.log('dropped', e.dataTransfer.getData('text/plain')); };
$('#jui').draggable(); $('#hole').droppable({drop: () => console.log('in the hole')}); $('#slide').slider({change: (e, ui) => console.log('slid', ui.value)}); $('#due').datepicker();
let drawing = false, marks = 0; pad.onpointerdown = () => { drawing = true; }; pad.onpointermove = e => { if (drawing) { marks++; pad.getContext('2d').fillRect(e.offsetX, e.offsetY, 3, 3); } }; pad.onpointerup = () => { drawing = false; console.log('drawn', marks > 0); };</script>`,

  menus: head('Menus') + `<style>.css ul{display:none;position:absolute;background:#fff;margin:0}.css li:hover>ul{display:block}.js ul{display:none}.js .open{display:block}</style>
<ul class=css><li><span>Products</span><ul><li><a href=#lamps>Lamps</a></li><li><span>Chairs</span><ul style="left:200px"><li><a href=#stools>Stools</a></li></ul></li></ul></li></ul>
<div style="height:120px"></div><div class=js><span id=more>More things</span><ul id=sub><li><a href=#about>About us</a></li></ul></div>
<div id=made><span>Account</span></div><button>Plain</button>
<script>more.onmouseenter = () => sub.classList.add('open'); made.onmouseenter = () => { if (!made.querySelector('a')) made.insertAdjacentHTML('beforeend', ' <a href=#out>Sign out</a>'); };
addEventListener('hashchange', () => console.log(location.hash));</script>`,

  nested: head('Nested') + `<h1>Nested</h1><iframe title=outer src=/nested-1 width=600 height=260></iframe><iframe title=written width=600 height=80></iframe><button id=swap>Replace</button>
<iframe title=boxed sandbox="allow-scripts" srcdoc="<button onclick='console.log(&quot;boxed&quot;)'>Boxed</button>" width=300 height=60></iframe>
<script>const w = document.querySelector('[title=written]'); w.contentDocument.open(); w.contentDocument.write('<label>Code <input></label>'); w.contentDocument.close();
swap.onclick = () => { const f = document.querySelector('[title=outer]'), n = f.cloneNode(); n.src = '/nested-1?again'; f.replaceWith(n); };</script>`,
  'nested-1': head('One') + `<p>One</p><iframe title=inner src=/nested-2 width=500 height=160></iframe>`,
  'nested-2': head('Two') + `<label>Depth <input></label> <button onclick="console.log('deep', document.querySelector('input').value)">Go deep</button>`,

  ways: head('Ways') + `<h1>Ways</h1><nav><a href=/ways/a>Page A</a> <a href=/ways/b>Page B</a></nav><main id=view>Start</main><a href=#part>Part</a> <a href=/arrived target=_blank>New tab</a> <button id=blank>Blank window</button>
<form action=/arrived method=post><input name=q aria-label=Query><button>Post it</button></form><button onclick="if (confirm('Really?')) console.log('yes')">Confirm</button><button id=guard>Guard</button><div style="height:900px"></div><h2 id=part>Part</h2>
<script>const show = () => { view.textContent = location.pathname; }; for (const a of document.querySelectorAll('nav a')) a.onclick = e => { e.preventDefault(); history.pushState({}, '', a.href); show(); };
onpopstate = show; show(); blank.onclick = () => { const w = open('about:blank'); w.document.write('<title>Blank</title><button onclick="this.textContent = 42">In the blank</button>'); w.document.close(); };
guard.onclick = () => { onbeforeunload = e => { e.preventDefault(); e.returnValue = 'x'; }; };</script>`,
  arrived: head('Arrived') + `<h1>Arrived</h1><button onclick="console.log('arrived')">Hello there</button>`,
};

const sources = {
  mui: [`import * as React from 'react'; import {createRoot} from 'react-dom/client';
import {Autocomplete, Button, Checkbox, Dialog, DialogActions, DialogTitle, FormControlLabel, IconButton, MenuItem, Rating, Slider, Switch, TextField} from '@mui/material';
function App() { const [open, set] = React.useState(false), [age, setAge] = React.useState(''); return <div style={{padding: 20, width: 400}}>
<TextField select label="Age" value={age} onChange={e => setAge(e.target.value)} fullWidth><MenuItem value="10">Ten</MenuItem><MenuItem value="20">Twenty</MenuItem></TextField>
<Autocomplete options={['The Matrix', 'Inception', 'Memento']} renderInput={p => <TextField {...p} label="Film"/>}/><FormControlLabel control={<Checkbox/>} label="Remember"/><FormControlLabel control={<Switch/>} label="Dark"/>
<Slider aria-label="Brightness" defaultValue={30} onChangeCommitted={(e, v) => console.log('bright', v)}/><Rating name="stars"/><Button onClick={() => set(true)}>Delete all</Button>
<Dialog open={open} onClose={() => set(false)}><DialogTitle>Delete?</DialogTitle><DialogActions><Button onClick={() => set(false)}>No</Button><Button onClick={() => { set(false); console.log('deleted'); }}>Yes</Button></DialogActions></Dialog></div>; }
createRoot(document.getElementById('app')).render(<App/>);`, 'jsx'],
  dnd: [`import * as React from 'react'; import {createRoot} from 'react-dom/client'; import {DndContext, closestCenter, PointerSensor, useSensor, useSensors} from '@dnd-kit/core'; import {arrayMove, SortableContext, useSortable, verticalListSortingStrategy} from '@dnd-kit/sortable';
function Card({id}) { const {attributes, listeners, setNodeRef, transform, transition} = useSortable({id}); return <div ref={setNodeRef} {...attributes} {...listeners} style={{transform: transform ? 'translate3d(' + transform.x + 'px,' + transform.y + 'px,0)' : undefined, transition, border: '1px solid', padding: 10, width: 200, background: '#fff'}}>{id}</div>; }
function App() { const [list, set] = React.useState(['Write', 'Review', 'Ship']), sensors = useSensors(useSensor(PointerSensor, {activationConstraint: {distance: 5}}));
return <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={({active, over}) => { if (over && active.id !== over.id) { set(l => arrayMove(l, l.indexOf(active.id), l.indexOf(over.id))); console.log('sorted', active.id, over.id); } }}><SortableContext items={list} strategy={verticalListSortingStrategy}>{list.map(id => <Card key={id} id={id}/>)}</SortableContext></DndContext>; }
createRoot(document.getElementById('app')).render(<App/>);`, 'jsx'],
  prime: [`import {createApp} from 'vue/dist/vue.esm-bundler.js'; import PrimeVue from 'primevue/config'; import Aura from '@primeuix/themes/aura';
import AutoComplete from 'primevue/autocomplete'; import Button from 'primevue/button'; import Checkbox from 'primevue/checkbox'; import Column from 'primevue/column'; import DataTable from 'primevue/datatable';
import DatePicker from 'primevue/datepicker'; import Dialog from 'primevue/dialog'; import InputText from 'primevue/inputtext'; import Select from 'primevue/select'; import Tree from 'primevue/tree';
const towns = ['Athens', 'Berlin', 'Bergen', 'Cairo'], things = Array.from({length: 40}, (_, i) => ({id: i + 1, name: 'Thing ' + (i + 1), price: (i * 71) % 500}));
createApp({components: {AutoComplete, Button, Checkbox, Column, DataTable, DatePicker, Dialog, InputText, Select, Tree}, data: () => ({fruit: null, town: null, found: [], day: null, agree: false, ask: false, chosen: null, things,
nodes: [{key: '0', label: 'Papers', children: [{key: '0-0', label: 'Bills'}, {key: '0-1', label: 'Letters'}]}]}), methods: {find(e) { this.found = towns.filter(t => t.startsWith(e.query)); }, say: (...x) => console.log(...x)},
template: '<label for="fruit">Fruit</label><Select v-model="fruit" labelId="fruit" :options="[\\'Apple\\', \\'Pear\\', \\'Plum\\']" placeholder="Choose a fruit"/><AutoComplete v-model="town" :suggestions="found" @complete="find" placeholder="Town"/>' +
'<DatePicker v-model="day" placeholder="Day"/><Checkbox v-model="agree" binary inputId="agree"/><label for="agree">Agree</label><Button label="Archive" @click="ask = true"/>' +
'<Dialog v-model:visible="ask" modal header="Archive it?"><Button label="Keep it" @click="ask = false; say(\\'kept\\')"/></Dialog><Tree :value="nodes"/>' +
'<DataTable :value="things" v-model:selection="chosen" selectionMode="single" dataKey="id" paginator :rows="5" @row-select="e => say(\\'row\\', e.data.id)"><Column field="name" header="Name" sortable/><Column field="price" header="Price" sortable/></DataTable>'})
.use(PrimeVue, {theme: {preset: Aura}}).mount('#app');`, 'js'],
  angular: [`import 'zone.js'; import '@angular/compiler'; import {Component} from '@angular/core'; import {bootstrapApplication} from '@angular/platform-browser'; import {provideNoopAnimations} from '@angular/platform-browser/animations';
import {FormsModule} from '@angular/forms'; import {MatButtonModule} from '@angular/material/button'; import {MatCheckboxModule} from '@angular/material/checkbox'; import {MatExpansionModule} from '@angular/material/expansion';
import {MatInputModule} from '@angular/material/input'; import {MatMenuModule} from '@angular/material/menu'; import {MatSelectModule} from '@angular/material/select'; import {MatSlideToggleModule} from '@angular/material/slide-toggle';
import {MatTabsModule} from '@angular/material/tabs'; import {MatTableModule} from '@angular/material/table'; import {MatChipsModule} from '@angular/material/chips'; import {MatRadioModule} from '@angular/material/radio';
class Root { name = ''; size = ''; items = []; rows = Array.from({length: 8}, (_, i) => ({id: i + 1, name: 'Row ' + (i + 1)})); columns = ['id', 'name', 'do']; add() { this.items.push(this.name); this.name = ''; } say(...x) { console.log(...x); } }
const App = Component({selector: 'app-root', imports: [FormsModule, MatButtonModule, MatCheckboxModule, MatExpansionModule, MatInputModule, MatMenuModule, MatSelectModule, MatSlideToggleModule, MatTabsModule, MatTableModule, MatChipsModule, MatRadioModule],
template: '<mat-form-field><mat-label>Name</mat-label><input matInput [(ngModel)]="name"></mat-form-field><button mat-flat-button (click)="add()">Add it</button>@for (item of items; track $index) {<p>{{item}} <button mat-button (click)="items.splice($index, 1)">Take away</button></p>}' +
'<mat-form-field><mat-label>Size</mat-label><mat-select [(ngModel)]="size"><mat-option value="s">Small</mat-option><mat-option value="l">Large</mat-option></mat-select></mat-form-field><mat-checkbox>Gift</mat-checkbox><mat-slide-toggle>Express</mat-slide-toggle>' +
'<mat-radio-group><mat-radio-button value="a">By air</mat-radio-button><mat-radio-button value="b">By sea</mat-radio-button></mat-radio-group><button mat-button [matMenuTriggerFor]="menu">Actions</button><mat-menu #menu><button mat-menu-item>Copy</button><button mat-menu-item (click)="say(\\'cut\\')">Cut out</button></mat-menu>' +
'<mat-tab-group><mat-tab label="Parts">All parts</mat-tab><mat-tab label="Costs">All costs</mat-tab></mat-tab-group><mat-expansion-panel><mat-expansion-panel-header>Fine print</mat-expansion-panel-header>Nothing more.</mat-expansion-panel>' +
'<table mat-table [dataSource]="rows"><ng-container matColumnDef="id"><th mat-header-cell *matHeaderCellDef>No.</th><td mat-cell *matCellDef="let r">{{r.id}}</td></ng-container><ng-container matColumnDef="name"><th mat-header-cell *matHeaderCellDef>Name</th><td mat-cell *matCellDef="let r">{{r.name}}</td></ng-container>' +
'<ng-container matColumnDef="do"><th mat-header-cell *matHeaderCellDef></th><td mat-cell *matCellDef="let r"><button mat-button (click)="say(\\'edit\\', r.id)">Edit</button></td></ng-container><tr mat-header-row *matHeaderRowDef="columns"></tr><tr mat-row *matRowDef="let r; columns: columns"></tr></table>'})(Root);
bootstrapApplication(App, {providers: [provideNoopAnimations()]});`, 'js'],
  svelte: [`<script>let name = $state(''), items = $state([]), dark = $state(false);</script>
<input bind:value={name} placeholder="Thing to do"/><button onclick={() => { items.push(name); name = ''; console.log('added', items.length); }}>Add thing</button><label><input type="checkbox" bind:checked={dark}/> Dark mode</label>
{#each items as item, i}<p>{item} <button onclick={() => items.splice(i, 1)}>Drop</button></p>{/each}`, 'svelte'],
};

// build bundles what browsers do not understand by themselves.
async function build(modules) {
  const require = createRequire(path.join(modules, 'x.js')), esbuild = require('esbuild'), built = {};
  for (const [name, [contents, loader]] of Object.entries(sources)) {
    let stdin = { contents, loader, resolveDir: modules };
    if (loader === 'svelte') {
      const { compile } = require('svelte/compiler');
      stdin = { contents: compile(contents, { generate: 'client', name: 'App' }).js.code + "\nimport { mount } from 'svelte'; mount(App, { target: document.getElementById('app') });", loader: 'js', resolveDir: modules };
    }
    const r = await esbuild.build({ stdin, bundle: true, format: 'esm', write: false, minify: true, define: { 'process.env.NODE_ENV': '"production"' }, conditions: ['browser', 'svelte'], logLevel: 'error' });
    built[name] = r.outputFiles[0].text;
  }
  return built;
}

// answers returns what serves those pages; it answers nothing for other paths.
export async function answers(modules) {
  const built = await build(modules);
  return url => {
    const name = url.pathname.slice(1);
    if (name.startsWith('built/')) return [built[path.basename(name, '.js')], 'text/javascript'];
    if (name.startsWith('ways/')) return [pages.ways];
    return pages[name] ? [pages[name]] : undefined;
  };
}
