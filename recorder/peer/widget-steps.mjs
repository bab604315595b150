// The scripted pass over further libraries.
import { button, click, css, fill, open, press, step } from './steps.mjs';

const label = name => p => p.getByLabel(name, { exact: true }), role = (r, name) => p => p.getByRole(r, { name, exact: true }), text = t => p => p.getByText(t, { exact: true });
const custom = (method, at, perform) => ({ ...step(method, at), perform });

// drag moves the mouse with its button held, as people do.
const drag = (from, to, { dx = 0, dy = 0 } = {}) => ({ ...step('dragAndDrop', from), key: 'source', perform: async page => {
  const a = await from(page).boundingBox(), b = to ? await to(page).boundingBox() : { ...a, x: a.x + dx, y: a.y + dy };
  const mid = r => [r.x + r.width / 2, r.y + r.height / 2];
  await page.mouse.move(...mid(a));
  await page.mouse.down();
  await page.mouse.move(mid(a)[0] + 6, mid(a)[1] + 6, { steps: 3 });
  await page.mouse.move(...mid(b), { steps: 8 });
  await page.waitForTimeout(100);
  await page.mouse.up();
  await page.waitForTimeout(400); // what is dropped settles
} });

const deep = p => p.frameLocator('iframe[title=outer]').frameLocator('iframe[title=inner]');

export const widgetSteps = [
  open('/native'),
  fill(label('Day'), '2026-05-04'), fill(label('Hour'), '10:30'), fill(label('Month'), '2026-07'), fill(label('Volume'), '7'), fill(label('Colour'), '#336699'), fill(label('Pieces'), '12'),
  custom('fill', label('Volume'), async (p, at) => { await at.focus(); await p.keyboard.press('ArrowRight'); await p.keyboard.press('ArrowUp'); await p.keyboard.press('PageUp'); }),
  custom('fill', label('Pieces'), async (p, at) => { await at.focus(); await p.keyboard.press('ArrowUp'); await p.keyboard.press('ArrowUp'); }),
  custom('setInputFiles', label('Paper'), (p, at) => at.setInputFiles({ name: 'paper.txt', mimeType: 'text/plain', buffer: Buffer.from('paper') })),
  fill(label('Town'), 'Basel'),
  custom('selectOption', p => p.getByRole('combobox', { name: 'Tone' }), async (p, at) => { await at.focus(); await p.keyboard.type('Gre'); }),
  custom('selectOption', p => p.getByRole('combobox', { name: 'Tone' }), async (p, at) => { await at.focus(); await p.keyboard.press('ArrowDown'); }),
  custom('selectOption', p => p.getByRole('listbox', { name: 'Days off' }), (p, at) => at.selectOption(['Mon', 'Wed'])),
  fill(label('Notes'), 'two\nlines'), fill(label('Letter'), 'Dear reader'),
  step('check', p => p.getByRole('radio', { name: 'Large' })),
  click(p => p.locator('summary')), click(button('Add one')), click(button('Add one')),
  custom('click', button('Add one'), (p, at) => at.click({ clickCount: 3, delay: 20 })),
  custom('dblclick', button('Open me'), (p, at) => at.dblclick({ delay: 90 })),
  click(button('Ask')), click(button('Yes')), click(button('Tips')), click(button('Close tips')), click(button('Send')),

  open('/vuetify'),
  click(p => p.locator('.v-select').first()), click(role('option', 'Pear')),
  fill(p => p.getByLabel('Town').first(), 'Ber'), click(role('option', 'Bergen')),
  step('check', p => p.getByLabel('Alerts')), drag(p => p.getByRole('slider'), null, { dx: 80 }),
  click(role('tab', 'Second')), click(button('Options')), click(p => p.locator('.v-list-item', { hasText: 'Archive' })), click(button('Keep')),

  open('/mui'),
  click(p => p.getByRole('combobox', { name: 'Age' })), click(role('option', 'Twenty')),
  fill(p => p.getByRole('combobox', { name: 'Film' }), 'Mem'), press(p => p.getByRole('combobox', { name: 'Film' }), 'ArrowDown'), press(p => p.getByRole('combobox', { name: 'Film' }), 'Enter'),
  step('check', label('Remember')), step('check', label('Dark')), drag(p => p.locator('.MuiSlider-thumb'), null, { dx: 60 }),
  click(button('Delete all')), click(button('Yes')),

  open('/prime'),
  click(p => p.getByRole('combobox', { name: 'Fruit' })), click(role('option', 'Pear')),
  fill(p => p.getByPlaceholder('Town'), 'Ber'), click(role('option', 'Bergen')),
  click(p => p.getByPlaceholder('Day')), click(p => p.locator('.p-datepicker-day:not(.p-disabled)', { hasText: /^15$/ })),
  step('check', label('Agree')), click(button('Archive')), click(button('Keep it')),
  click(p => p.locator('.p-tree-node-toggle-button').first()), click(p => p.locator('.p-tree-node-label', { hasText: 'Letters' })),
  click(p => p.getByRole('columnheader', { name: 'Price' })), click(p => p.locator('.p-datatable-tbody tr').nth(2)), click(p => p.getByLabel('Page 3', { exact: true })), click(p => p.locator('.p-datatable-tbody tr').nth(1)),

  open('/angular'),
  fill(label('Name'), 'Lamp'), click(button('Add it')), fill(label('Name'), 'Chair'), press(label('Name'), 'Tab'), click(button('Add it')), click(p => button('Take away')(p).first()),
  click(p => p.getByRole('combobox', { name: 'Size' })), click(role('option', 'Large')), step('check', label('Gift')), click(p => p.getByRole('switch', { name: 'Express' })), step('check', label('By sea')),
  click(button('Actions')), click(role('menuitem', 'Cut out')), click(role('tab', 'Costs')), click(p => p.locator('mat-expansion-panel-header')), click(p => p.locator('tr', { hasText: 'Row 5' }).getByRole('button')),

  open('/aggrid'),
  step('check', p => p.locator('.ag-row[row-index="2"] .ag-selection-checkbox input')),
  click(p => p.locator('.ag-header-cell-text', { hasText: 'Price' })),
  step('dblclick', p => p.locator('.ag-row[row-index="1"] [col-id=name] .ag-cell-value')),
  fill(p => p.locator('.ag-cell-editor input'), 'Renamed'), press(p => p.locator('.ag-cell-editor input'), 'Enter'),
  step('scroll', css('.ag-body-viewport'), 900),
  click(p => p.locator('.ag-row[row-index="25"] [col-id=price]')),

  open('/shoelace'),
  click(p => p.locator('sl-select')), click(p => p.locator('sl-option', { hasText: 'Dog' })), custom('check', p => p.locator('sl-switch'), (p, at) => at.click()),
  click(p => p.locator('sl-rating')), click(p => p.locator('sl-tab', { hasText: 'Advanced' })),
  click(p => p.locator('sl-button', { hasText: 'Edit' })), click(p => p.locator('sl-menu-item', { hasText: 'Glue it' })), click(p => p.locator('sl-details').getByText('Read on')),
  click(p => p.locator('sl-button', { hasText: 'Warn me' })), click(p => p.locator('sl-button', { hasText: 'Understood' })),

  open('/quill'),
  custom('fill', css('.ql-editor'), async (p, at) => { await at.focus(); await p.keyboard.type('Hello world'); }),
  custom('press', css('.ql-editor'), p => p.keyboard.press('Control+a')), custom('press', css('.ql-editor'), p => p.keyboard.press('Control+b')),
  click(p => p.locator('button.ql-italic')),

  open('/monaco'),
  click(css('.view-lines')), custom('type', css('.monaco-editor'), p => p.keyboard.type('let b;')), click(button('Run')),

  open('/sort'),
  drag(p => p.locator('#list li').first(), p => p.locator('#list li').nth(2)), drag(css('#from'), css('#to')), drag(css('#jui'), css('#hole')), drag(css('.ui-slider-handle'), null, { dx: 100 }),
  drag(css('#pad'), null, { dx: 80, dy: 20 }),
  click(css('#due')), click(p => p.locator('#ui-datepicker-div td a').first()),

  open('/dnd'), drag(text('Write'), text('Ship')),

  open('/menus'),
  step('hover', text('Products')), step('hover', text('Chairs')), click(text('Stools')), custom('hover', text('More things'), async (p, at) => { await at.hover(); await p.waitForTimeout(300); }), click(text('About us')),
  custom('hover', text('Account'), async (p, at) => { await at.hover(); await p.waitForTimeout(300); }), click(text('Sign out')), click(button('Plain')),

  open('/nested'),
  fill(p => deep(p).getByLabel('Depth'), '3'), click(p => deep(p).getByRole('button')), fill(p => p.frameLocator('iframe[title=written]').getByLabel('Code'), 'X1'),
  click(p => p.frameLocator('iframe[title=boxed]').getByRole('button')), click(button('Replace')),
  fill(p => deep(p).getByLabel('Depth'), '4'), click(p => deep(p).getByRole('button')),

  open('/svelte'), fill(p => p.getByPlaceholder('Thing to do'), 'Sweep'), click(button('Add thing')), step('check', label('Dark mode')), click(button('Drop')),

  open('/ways'),
  click(role('link', 'Page A')), click(role('link', 'Page B')), custom('goToHistoryEntry', null, p => p.goBack()), click(role('link', 'Part')),
  custom('click', button('Confirm'), async (p, at) => { p.once('dialog', d => d.accept()); await at.click(); }),
  custom('click', role('link', 'New tab'), async (p, at) => { const opened = p.context().waitForEvent('page'); await at.click(); await (await opened).getByRole('button', { name: 'Hello there' }).waitFor(); }),
  custom('click', null, async p => p.context().pages().at(-1).getByRole('button', { name: 'Hello there' }).click()),
  custom('', null, async p => { await p.waitForTimeout(500); await p.context().pages().at(-1).close(); }),
  custom('click', button('Blank window'), async (p, at) => { const opened = p.context().waitForEvent('page'); await at.click(); await opened; await p.waitForTimeout(700); }),
  custom('click', null, async p => p.context().pages().at(-1).getByRole('button').click()),
  custom('', null, async p => { await p.waitForTimeout(500); await p.context().pages().at(-1).close(); }),
  fill(label('Query'), 'shoes'), custom('click', button('Post it'), async (p, at) => { await at.click(); await p.getByRole('heading', { name: 'Arrived' }).waitFor(); }),
  custom('goToHistoryEntry', null, async p => { await p.waitForTimeout(600); await p.goBack(); await p.getByRole('heading', { name: 'Ways' }).waitFor(); }),
  click(button('Guard')), custom('reload', null, async p => { p.once('dialog', d => d.accept()); await p.reload(); }),
];
