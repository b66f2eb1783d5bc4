import { test } from '#tests/support/browser.ts'
import { signIn } from '#tests/support/signing-in.ts'
test.use({ allowedOutput: /.*/ } as never)
const pages = ['screening/recalls', 'variants/import', 'products', 'variants', 'manufacturers', 'pharmacies', 'orders', 'settings', 'inventory?show=all', 'inventory/lots', 'messages', 'status', '']
test('look', async ({ page }) => {
  test.setTimeout(300_000)
  await signIn(page, 'admin')
  for (const path of pages) {
    for (const [w, h] of [[360, 640], [1280, 800]] as const) {
      await page.setViewportSize({ width: w, height: h })
      await page.goto(`/admin/${path}`)
      await page.waitForLoadState('networkidle')
      const info = await page.evaluate(() => {
        const out: string[] = []
        const d = document.scrollingElement!
        out.push(`doc ${d.scrollHeight - d.clientHeight}`)
        for (const e of document.querySelectorAll('*')) {
          const s = getComputedStyle(e)
          if (/(auto|scroll)/.test(s.overflowY) && e.scrollHeight > e.clientHeight + 1)
            out.push(`${e.tagName}.${String(e.className).slice(0, 50)} ${e.clientHeight} of ${e.scrollHeight}`)
        }
        return out.join(' | ')
      })
      console.log(path, w, info)
      if (['products','settings','screening/recalls','status','orders'].includes(path))
        for (const theme of ['pharma', 'pharma-dark']) {
          await page.evaluate((t) => (document.documentElement.dataset.theme = t), theme)
          await page.screenshot({ path: `/tmp/x/look2/${path.replace('/', '-')}-${w}-${theme}.png` })
        }
    }
  }
})
