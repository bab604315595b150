// Serves apps from npm: TodoMVC with React and with Vue, an admin page of
// element-plus, a data grid, and a page of frames and shadow trees.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

export const packages = ['todomvc@0.1.1', 'vue@3', 'element-plus@2', 'tabulator-tables@6', '@shoelace-style/shoelace@2'];

const head = title => `<!doctype html><html lang=en><meta charset=utf-8><title>${title}</title>`;

const admin = head('Admin') + `<link rel=stylesheet href=/npm/element-plus/dist/index.css>
<style>body{margin:0;font-family:sans-serif}</style><div id=app></div>
<script src=/npm/vue/dist/vue.global.prod.js></script><script src=/npm/element-plus/dist/index.full.min.js></script>
<script>
const {createApp, ref, reactive, computed} = Vue;
createApp({
  setup() {
    const users = ref([]), dialog = ref(false), query = ref(''), section = ref('users'), form = reactive({name: '', role: '', active: true, notes: ''});
    fetch('/api/users').then(r => r.json()).then(list => { users.value = list; console.info('users loaded', list.length); });
    const save = async () => {
      const r = await fetch('/api/users', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(form)});
      users.value.push(await r.json()); dialog.value = false; Object.assign(form, {name: '', role: '', active: true, notes: ''}); console.log('saved', users.value.length);
    };
    return {users, dialog, query, section, form, save, shown: computed(() => users.value.filter(u => u.name.toLowerCase().includes(query.value.toLowerCase()))),
      remove: u => { users.value = users.value.filter(x => x !== u); console.warn('removed', u.name); }};
  },
  template: \`<el-container><el-aside width="180px"><el-menu default-active="users" @select="k => section = k"><el-menu-item index="users">Users</el-menu-item><el-menu-item index="reports">Reports</el-menu-item></el-menu></el-aside>
  <el-main><h1>{{section === 'users' ? 'Users' : 'Reports'}}</h1>
  <template v-if="section === 'users'"><el-input v-model="query" placeholder="Search users" style="width:220px"/> <el-button type="primary" @click="dialog = true">Add user</el-button>
  <el-table :data="shown" row-key="id"><el-table-column prop="name" label="Name" sortable/><el-table-column prop="role" label="Role"/>
  <el-table-column label="Actions"><template #default="{row}"><el-button size="small" @click="remove(row)">Remove</el-button></template></el-table-column></el-table></template>
  <p v-else>Nothing to report.</p>
  <el-dialog v-model="dialog" title="New user"><el-form label-width="80px"><el-form-item label="Name"><el-input v-model="form.name"/></el-form-item>
  <el-form-item label="Role"><el-radio-group v-model="form.role"><el-radio value="editor">Editor</el-radio><el-radio value="viewer">Viewer</el-radio></el-radio-group></el-form-item>
  <el-form-item label="Active"><el-checkbox v-model="form.active">May sign in</el-checkbox></el-form-item>
  <el-form-item label="Notes"><el-input type="textarea" v-model="form.notes"/></el-form-item></el-form>
  <template #footer><el-button @click="dialog = false">Cancel</el-button><el-button type="primary" @click="save">Save</el-button></template></el-dialog></el-main></el-container>\`,
}).use(ElementPlus).mount('#app');
</script>`;

const grid = all => head('Grid') + `<link rel=stylesheet href=/npm/tabulator-tables/dist/css/tabulator.min.css><h1>Grid</h1><div id=grid></div><p id=said></p>
<script src=/npm/tabulator-tables/dist/js/tabulator.min.js></script><script>
const rows = Array.from({length: 500}, (_, i) => ({id: i + 1, product: 'Product ' + (i + 1), price: (i * 37) % 1000, stock: i % 7 !== 0}));
const table = new Tabulator('#grid', {${all ? "renderVertical: 'basic'" : 'height: 320'}, data: rows${all ? '.slice(0, 300)' : ''}, layout: 'fitColumns', selectableRows: 1, columns: [
  {title: 'Product', field: 'product', headerFilter: 'input', editor: 'input'}, {title: 'Price', field: 'price', sorter: 'number'}, {title: 'In stock', field: 'stock', formatter: 'tickCross'}]});
table.on('rowSelected', r => { said.textContent = 'Selected ' + r.getData().product; console.log('selected', r.getData().product); });
table.on('cellEdited', c => { said.textContent = 'Edited to ' + c.getValue(); });
</script>`;

const frames = host => head('Frames') + `<link rel=stylesheet href=/npm/@shoelace-style/shoelace/cdn/themes/light.css>
<script type=module src=/npm/@shoelace-style/shoelace/cdn/shoelace.js></script><h1>Frames</h1>
<sl-input label="City" id=city></sl-input><sl-checkbox>Newsletter</sl-checkbox><sl-button id=go>Go on</sl-button><p id=said></p>
<iframe title="near" src=/inner width=400 height=120></iframe><iframe title="far" src=http://localhost:${host.split(':')[1]}/inner?far width=400 height=120></iframe>
<script>customElements.whenDefined('sl-button').then(() => go.addEventListener('click', () => { said.textContent = 'Going to ' + city.value; console.log('going'); }));</script>`;

const inner = head('Inner') + `<label>Coupon <input name=coupon></label> <button onclick="out.textContent = 'Applied ' + document.querySelector('input').value; console.log('applied')">Apply</button>
<select aria-label=Size><option>Small<option>Large</select><p id=out></p>`;

const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.jsx': 'text/plain', '.css': 'text/css', '.json': 'application/json', '.png': 'image/png', '.svg': 'image/svg+xml', '.woff2': 'font/woff2', '.woff': 'font/woff', '.ttf': 'font/ttf' };

// serve serves the packages in a node_modules folder, the pages above, and those
// that more answers with.
export async function serve(modules, more = () => undefined) {
  const server = http.createServer((req, res) => {
    const url = new URL(req.url, 'http://' + req.headers.host);
    const send = (body, type = 'text/html; charset=utf-8', status = 200) => { res.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }); res.end(body); };
    const other = more(url);
    if (other) return send(other[0], other[1]);
    switch (url.pathname) {
      case '/admin': return send(admin);
      case '/grid': return send(grid(url.searchParams.has('all')));
      case '/frames': return send(frames(req.headers.host));
      case '/inner': return send(inner);
      case '/api/users': {
        if (req.method !== 'POST') return send(JSON.stringify(['Ada', 'Grace', 'Edsger', 'Barbara'].map((name, id) => ({ id, name, role: id % 2 ? 'viewer' : 'editor' }))), types['.json']);
        let body = '';
        req.on('data', d => body += d).on('end', () => send(JSON.stringify({ id: 99, ...JSON.parse(body) }), types['.json'], 201));
        return;
      }
    }
    const file = path.join(modules, path.normalize(decodeURIComponent(url.pathname.replace(/^\/npm\//, '/')))), full = file.endsWith('/') ? file + 'index.html' : file;
    if (!url.pathname.startsWith('/npm/') || !fs.existsSync(full) || !fs.statSync(full).isFile()) return send('not here', 'text/plain', 404);
    send(fs.readFileSync(full), types[path.extname(full)] ?? 'application/octet-stream');
  });
  await new Promise(r => server.listen(0, '127.0.0.1', r));
  return { base: `http://127.0.0.1:${server.address().port}`, close: () => { server.closeAllConnections(); server.close(); } };
}
