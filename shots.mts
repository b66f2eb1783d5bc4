import { chromium } from 'playwright-core'
import { findChromium } from './tests/support/chromium.ts'
const base = 'http://localhost:3371'
const { executablePath, args, env } = await findChromium()
const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } as Record<string,string> })
const out = '/tmp/x-ad/shots'
async function session(email: string) {
  const context = await browser.newContext({ baseURL: base })
  const page = await context.newPage()
  await page.goto('/login')
  await page.getByRole('main').getByLabel('Email').fill(email)
  await page.getByRole('main').getByLabel('Password', { exact: true }).fill('meridian-demo')
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL((u) => !u.pathname.startsWith('/login'))
  return { context, page }
}
async function shoot(page: import('playwright-core').Page, name: string, combos = [[1280,'light'],[360,'dark'],[1280,'dark'],[360,'light']] as const) {
  for (const [width, theme] of combos) {
    await page.setViewportSize({ width, height: 900 })
    await page.evaluate((t) => { document.documentElement.dataset['theme'] = `pharma-${t}` }, theme)
    await page.waitForTimeout(250)
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    if (beyond > 0) console.log('SIDEWAYS', name, width, beyond)
    await page.screenshot({ path: `${out}/${name}-${width}-${theme}.png` })
  }
}
const { page } = await session('admin@meridian.test')
await page.goto('/admin/orders'); await page.waitForLoadState('networkidle')
const selects = page.locator('select[name=status][aria-label^="Status of"]:enabled')
console.log(await selects.count())
await selects.first().focus()
const before = await selects.first().inputValue()
await page.keyboard.press('ArrowDown'); await page.waitForTimeout(900)
console.log(before, await selects.first().inputValue())
await shoot(page, 'row-choice')
await page.keyboard.press('Tab'); console.log(await page.evaluate(() => document.activeElement?.textContent))
await page.setViewportSize({ width: 1280, height: 900 })
await page.keyboard.press('Enter'); await page.waitForTimeout(800)
console.log(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
await shoot(page, 'undo-bar', [[1280,'light'],[360,'dark']])
await page.getByRole('button', {name: 'Undo'}).click(); await page.waitForTimeout(800)
await page.setViewportSize({ width: 1280, height: 900 })
const boxes = page.locator('tbody input[type=checkbox]')
for (let i=0;i<Math.min(3, await boxes.count());i++) await boxes.nth(i).check()
await page.getByLabel('Set status of selected').selectOption('cancelled'); await page.waitForTimeout(900)
await shoot(page, 'bulk')
await page.locator('tbody a').first().click(); await page.waitForURL(/orders\/./); await page.waitForLoadState('networkidle')
const s = page.locator('select[name=status]').first(); await s.selectOption({ index: 3 }); await page.waitForTimeout(900)
await shoot(page, 'order-choice')
const id = page.url().split('/').pop()
await page.goto('/admin/orders/' + id + '?status=cancelled'); await shoot(page, 'nojs', [[360,'dark'],[1280,'light']])
await browser.close()
