// The scripted pass over the apps: what is done, where, and what a recording
// has to say about it.
export const step = (method, at, arg) => ({ method, at, arg });
export const open = path => step('goto', null, path);
export const click = at => step('click', at), fill = (at, text) => step('fill', at, text), press = (at, key) => step('press', at, key);
export const css = s => p => p.locator(s), button = name => p => p.getByRole('button', { name, exact: true });
const item = text => p => p.locator('#todo-list li', { hasText: text });
const near = f => p => f(p.frameLocator('iframe[title=near]')), far = f => p => f(p.frameLocator('iframe[title=far]'));

const todo = path => [open(path),
  fill(css('#new-todo'), 'Buy milk'), press(css('#new-todo'), 'Enter'),
  fill(css('#new-todo'), 'Walk the dog'), press(css('#new-todo'), 'Enter'),
  fill(css('#new-todo'), 'Write a letter'), press(css('#new-todo'), 'Enter'),
  step('check', p => item('Walk the dog')(p).locator('.toggle')),
  step('dblclick', p => item('Buy milk')(p).locator('label')),
  fill(css('#todo-list li.editing .edit'), 'Buy oat milk'), press(css('#todo-list li.editing .edit'), 'Enter'),
  click(p => p.locator('#filters').getByText('Completed')), click(p => p.locator('#filters').getByText('All')),
  click(css('#clear-completed'))];

export const steps = [
  ...todo('/npm/todomvc/examples/react/'),
  ...todo('/npm/todomvc/examples/vue/'),
  open('/admin'),
  fill(p => p.getByPlaceholder('Search users'), 'e'),
  click(p => p.locator('tr', { hasText: 'Edsger' }).getByRole('button', { name: 'Remove' })),
  click(button('Add user')), fill(p => p.getByRole('dialog').getByLabel('Name'), 'Alan'),
  step('check', p => p.getByRole('dialog').getByRole('radio', { name: 'Viewer' }), 'label'),
  step('uncheck', p => p.getByRole('dialog').getByRole('checkbox', { name: 'May sign in' }), 'label'),
  fill(p => p.getByRole('dialog').getByLabel('Notes'), 'from Bletchley'), click(button('Save')),
  click(p => p.getByRole('columnheader', { name: 'Name' })),
  click(p => p.getByRole('menuitem', { name: 'Reports' })), click(p => p.getByRole('menuitem', { name: 'Users' })),
  open('/grid'),
  click(p => p.getByText('Product 3', { exact: true })), fill(p => p.locator('.tabulator-cell input'), 'Product three'), press(p => p.locator('.tabulator-cell input'), 'Enter'),
  click(p => p.locator('.tabulator-col-title', { hasText: 'Price' })),
  step('scroll', css('.tabulator-tableholder'), 600),
  fill(p => p.locator('.tabulator-header-filter input'), 'Product 41'), press(p => p.locator('.tabulator-header-filter input'), 'Enter'),
  click(p => p.locator('.tabulator-row', { hasText: 'Product 410' }).locator('.tabulator-cell').nth(1)),
  open('/frames'),
  fill(p => p.locator('#city').locator('input'), 'Paris'), click(css('#go')),
  fill(near(f => f.getByLabel('Coupon')), 'TENOFF'), click(near(f => f.getByRole('button', { name: 'Apply' }))),
  step('selectOption', near(f => f.getByLabel('Size')), 'Large'),
  fill(far(f => f.getByLabel('Coupon')), 'FAR'), click(far(f => f.getByRole('button', { name: 'Apply' }))),
];

// perform carries out one step.
export async function perform(page, base, s, locator) {
  const at = locator ?? s.at?.(page);
  if (s.perform) return s.perform(page, at);
  switch (s.method) {
    case 'goto': await page.goto(base + s.arg); return;
    case 'fill': return at.fill(s.arg);
    case 'press': return at.press(s.arg);
    case 'check': case 'uncheck':
      // Styled boxes are behind their label; a click on it is what people do.
      return s.arg === 'label' ? at.locator('xpath=ancestor::label[1]').click() : at[s.method]();
    case 'selectOption': return at.selectOption(s.arg);
    case 'scroll': return scroll(page, at, s.arg);
    default: return at[s.method]();
  }
}

// scroll turns the wheel until the element has moved: a table that is being
// sorted lets it go by.
async function scroll(page, at, by) {
  await at.hover();
  for (let i = 0; i < 10; i++) {
    await page.mouse.wheel(0, by);
    for (let waited = 0; waited < 1000; waited += 100) {
      await page.waitForTimeout(100);
      if (await at.evaluate(e => e.scrollTop) > 0) return page.waitForTimeout(300);
    }
  }
  throw new Error('the wheel moves nothing');
}
