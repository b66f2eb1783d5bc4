import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * What axe finds on the page as it stands, a line a rule; none is what one wants. Called straight in the page: our pages have no
 * frames, and the ready-made builder takes four times as long for those that they have not.
 */
export async function axeFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  return page.evaluate(async (values) => {
    const { axe: run } = window as unknown as { axe: typeof axe }
    const { violations, passes } = await run.run(document, {
      runOnly: { type: 'tag', values },
      resultTypes: ['violations'],
      // No second reading of the styles: no rule of these tags needs it, and the page's policy refuses axe's copies.
      preload: false,
    })
    if (passes.length === 0) return ['axe has looked at nothing']
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    )
  }, tags)
}
