import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The rules of these tags that look at colours: all that another theme can change. */
const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * What axe finds on the page as it stands, a line a rule; none is what one wants. Called straight in the page: our pages have no
 * frames, and the ready-made builder takes four times as long for those that they have not.
 * @param of 'colours' for the rules of colours alone, on a page that was looked at whole in another theme
 */
export async function axeFindings(page: Page, of: 'all' | 'colours' = 'all'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const runOnly: axe.RunOnly =
    of === 'all' ? { type: 'tag', values: tags } : { type: 'rule', values: colourRules }
  return page.evaluate(async (only) => {
    const { axe: run } = window as unknown as { axe: typeof axe }
    const { violations, passes } = await run.run(document, {
      runOnly: only,
      resultTypes: ['violations'],
      // No second reading of the styles: no rule of these tags needs it, and the page's policy refuses axe's copies.
      preload: false,
    })
    if (passes.length === 0) return ['axe has looked at nothing']
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    )
  }, runOnly)
}
