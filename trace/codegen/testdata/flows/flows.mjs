// What is done in the apps, by flow.
export const flows = {
  async forms(page, at) {
    await page.goto(at + '/');
    await page.getByRole('link', { name: 'Forms' }).click();
    await page.getByLabel('Name').fill('Ada "Quote" O\'Hara');
    await page.getByLabel('Born').fill('2001-02-03');
    await page.getByLabel('Colour').fill('#00ff88');
    await page.getByLabel('Level').fill('7');
    await page.getByLabel('Age').fill('42');
    await page.getByLabel('Story').fill('line one\nline two ${x} `y`');
    await page.getByLabel('Paid').check();
    await page.getByLabel('Tags').selectOption(['red', 'blue']);
    await page.getByLabel('Country').selectOption('jp');
    await page.getByLabel('News').uncheck();
    await page.getByLabel('Terms').check();
    await page.getByRole('textbox', { name: 'Note' }).click();
    await page.keyboard.type('a note');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Thank you').waitFor();
  },
  async windows(page, at) {
    const answers = { alert: undefined, confirm: undefined, prompt: 'Grace' };
    page.on('dialog', d => d.accept(answers[d.type()]));
    await page.goto(at + '/windows');
    const [one] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('link', { name: 'Open page' }).click()]);
    await one.getByRole('button', { name: 'press' }).click();
    await one.close();
    const [two] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('button', { name: 'Open window' }).click()]);
    await two.getByRole('button', { name: 'press' }).click();
    await Promise.all([two.waitForEvent('close'), two.getByRole('button', { name: 'Close me' }).click()]);
    for (const name of ['Alert', 'Confirm', 'Prompt']) await page.getByRole('button', { name }).click();
    await page.getByText('name: Grace').waitFor();
    await page.getByRole('button', { name: 'Double' }).dblclick();
    await page.getByRole('button', { name: 'Context' }).click({ button: 'right' });
    await page.getByLabel('Search').fill('rake');
    await page.getByLabel('Search').press('Enter');
    await page.getByLabel('Search').press('Escape');
    await page.getByText('cleared').waitFor();
  },
  async files(page, at) {
    await page.goto(at + '/files');
    let [d] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Report' }).click()]);
    await d.path();
    [d] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Make file' }).click()]);
    await d.path();
    await page.locator('#a').dragTo(page.locator('#b'));
    await page.getByText('has crate').waitFor();
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Pick' }).click()]);
    await chooser.setFiles([{ name: 'two.txt', mimeType: 'text/plain', buffer: Buffer.from('22') }]);
    await page.getByText('two.txt').waitFor();
    await page.getByLabel('Photo').setInputFiles([{ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('abc') }, { name: 'b.png', mimeType: 'image/png', buffer: Buffer.from('abcd') }]);
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByText('Thank you').waitFor();
  },
  async frames(page, at) {
    await page.goto(at + '/frames');
    for (const title of ['inner', 'far']) {
      const f = page.frameLocator(`iframe[title=${title}]`);
      await f.getByLabel('Word').fill('hello ' + title);
      await f.getByRole('button', { name: 'Say' }).click();
      await f.getByText('said hello ' + title).waitFor();
    }
    await page.getByRole('button', { name: 'Shadow' }).click();
    await page.getByRole('button', { name: 'Shadow' }).click();
    await page.getByText('shadow 2').waitFor();
  },
  async app(page, at) {
    await page.goto(at + '/app');
    await page.getByRole('button', { name: 'One' }).click();
    await page.getByRole('button', { name: 'Two' }).click();
    await page.goBack();
    await page.getByRole('button', { name: 'Load' }).click();
    await page.getByText('rake').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Load' }).click();
    await page.getByText('spade').waitFor();
    await page.getByRole('button', { name: 'Boom' }).click();
    await page.waitForTimeout(300);
  },
  async notes(page, at) {
  await page.goto(at + '/notes');
  await page.getByLabel('User name').fill('ada@shop.example');
  await page.getByLabel('Password').fill('s3cret-pw');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Notes' }).waitFor();
  for (const text of ['Milk', 'Bread and butter']) { await page.getByLabel('New note').fill(text); await page.getByRole('button', { name: 'Add' }).click(); await page.getByText('Added ' + text).waitFor(); await page.getByRole('link', { name: text }).waitFor(); }
  await page.getByRole('link', { name: 'Bread and butter' }).click();
  await page.getByTestId('length').waitFor();
  await page.waitForTimeout(300);
  await page.getByRole('button', { name: 'Delete Milk' }).click();
  await page.getByText('Deleted Milk').waitFor();
  await page.waitForTimeout(300);
  await page.getByRole('link', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  await page.waitForTimeout(300);
 },
};
