import { expect, test } from '#tests/support/browser.ts'
import { signIn } from '#tests/support/signing-in.ts'
import type { Page } from '@playwright/test'

const grids = [
  'orders',
  'settings',
  'products',
  'variants',
  'manufacturers',
  'pharmacies',
  'inventory?show=all',
  'inventory/lots',
  'messages',
  'screening/recalls',
]

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`/admin/${path}`)
  await expect(page.getByRole('button', { name: 'Columns' }).first()).toBeEnabled()
}

/** The words, and the numbers with their unit, that a grid shows on two lines. */
const brokenWords = (page: Page): Promise<string[]> =>
  page.locator('.data-grid').evaluateAll((grids) => {
    const broken: string[] = []
    for (const cell of grids.flatMap((grid) => [...grid.querySelectorAll('th, td')])) {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        for (const { index, 0: word } of (node.textContent ?? '').matchAll(/\d[\d.,]*\s\p{L}+|[^\s-]+/gu)) {
          const range = document.createRange()
          range.setStart(node, index)
          range.setEnd(node, index + word.length)
          const lines = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => top)
          if (new Set(lines.map(Math.round)).size > 1) broken.push(word)
        }
      }
    }
    return broken
  })

/** How many rows of controls the first toolbar of the page has. */
const toolbarRows = (page: Page): Promise<number> =>
  page
    .getByRole('button', { name: 'Columns' })
    .first()
    .evaluate((button) => {
      const controls = button
        .closest('.items-end')
        ?.querySelectorAll('input:not([type=hidden]), select, button, a')
      const shown = [...(controls ?? [])].filter((control) => control.checkVisibility())
      return new Set(shown.map((control) => Math.round(control.getBoundingClientRect().bottom))).size
    })

/** On a phone, how wide the part of the first grid is that scrolls sideways. */
const roomBetweenFixedColumns = (page: Page): Promise<number> =>
  page
    .locator('.data-grid')
    .first()
    .evaluate((grid) => {
      const cells = [...grid.querySelectorAll('tbody tr:first-child td')]
      const fixed = cells.filter((cell) => {
        const { position, left, right } = getComputedStyle(cell)
        return position === 'sticky' && (left !== 'auto' || right !== 'auto')
      })
      return grid.clientWidth - fixed.reduce((sum, cell) => sum + cell.getBoundingClientRect().width, 0)
    })

/** Which parts of the page scroll down: its grids, and the page itself. */
const scrollingParts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('.data-grid')]
      .filter((part) => part.scrollHeight > part.clientHeight + 1)
      .map((part) => part.className || 'page'),
  )

test('every grid fits 1280 px with whole words; at 360 px it has two rows of controls and its actions; one thing scrolls', async ({
  page,
}) => {
  await signIn(page, 'admin')
  for (const path of grids) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await open(page, path)
    const hidden = await page
      .locator('.data-grid')
      .evaluateAll((grids) => grids.map((grid) => grid.scrollWidth - grid.clientWidth))
    expect(Math.max(...hidden), path).toBe(0)
    expect(await brokenWords(page), path).toEqual([])
    await expect(page.getByText(/^(1–\d+|0) of [\d,]+$/).first()).toBeVisible()
    expect((await scrollingParts(page)).length, path).toBeLessThanOrEqual(1)

    await page.setViewportSize({ width: 360, height: 800 })
    expect((await scrollingParts(page)).length, path).toBeLessThanOrEqual(1)
    expect(await toolbarRows(page), path).toBeLessThanOrEqual(2)
    const menu = page.getByRole('button', { name: /^Actions for/ }).first()
    if (path === 'orders' || (await menu.count()) === 0) continue
    // Without scrolling sideways.
    await expect(menu).toBeInViewport({ ratio: 1 })
    expect(await roomBetweenFixedColumns(page), path).toBeGreaterThan(70)
    await menu.click()
    const action = page
      .locator(':popover-open')
      .getByRole(/settings/.test(path) ? 'link' : 'button')
      .first()
    await expect(action).toBeInViewport({ ratio: 1 })
  }
})

test('no number or package of a variant is cut off: form, strength, package, price, cost and identifiers', async ({
  page,
}) => {
  await signIn(page, 'admin')
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const query of [
    'sort=price&dir=desc',
    'q=hydrocodone',
    'q=epinephrine',
    'q=naproxen',
    'q=suppository',
  ]) {
    await open(page, `variants?${query}`)
    const cut = await page.getByRole('grid').evaluate((grid) => {
      // Its text, without the invisible padding of a button.
      const isCut = (cell: Element) => {
        const text = document.createRange()
        const right = cell.getBoundingClientRect().right - parseFloat(getComputedStyle(cell).paddingRight)
        text.selectNodeContents(cell)
        return [...text.getClientRects()].some((line) => line.right > right + 0.5)
      }
      return ['form', 'strength', 'package', 'price', 'cost', 'identifiers'].flatMap((column) => {
        const index = grid.querySelector<HTMLTableCellElement>(`th[data-column=${column}]`)?.cellIndex ?? -1
        return [...grid.querySelectorAll(`tbody td:nth-child(${index + 1})`)]
          .filter(isCut)
          .map((cell) => cell.textContent)
      })
    })
    expect(cut, query).toEqual([])
    const shortened = await page
      .getByRole('grid')
      .getByRole('listitem')
      .evaluateAll((items) =>
        items.filter((item) => item.scrollWidth > item.clientWidth).map((item) => item.textContent),
      )
    expect(shortened, query).toEqual([])
    const twoLines = await page
      .getByRole('button', { name: /^\$\d{1,2}\.\d\d, edit price/ })
      .evaluateAll((prices) =>
        prices
          .filter((price) => {
            const text = document.createRange()
            text.selectNodeContents(price)
            return new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size > 1
          })
          .map((price) => price.textContent),
      )
    expect(twoLines, query).toEqual([])
  }
})

/** The texts of cells that take more than one line. */
const findBroken = (page: Page, text: RegExp) =>
  page
    .getByRole('gridcell')
    .getByText(text)
    .evaluateAll((cells) =>
      cells
        .filter((cell) => {
          const text = document.createRange()
          text.selectNodeContents(cell)
          return new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size > 1
        })
        .map((cell) => cell.textContent),
    )

for (const width of [360, 1280]) {
  test(`at ${width} px, prices above $1,000 stay on one line`, async ({ page }) => {
    await signIn(page, 'admin')
    await page.setViewportSize({ width, height: 800 })
    await open(page, 'variants?sort=price&dir=desc')
    await expect(page.getByRole('button', { name: /^\$\d,\d{3}\.\d\d, edit price/ }).first()).toBeAttached()
    expect(await findBroken(page, /^\$[\d,]+\.\d\d$/)).toEqual([])
  })
}

test('at 360 px, email addresses stay on one line', async ({ page }) => {
  await signIn(page, 'admin')
  await page.setViewportSize({ width: 360, height: 800 })
  for (const path of ['orders', 'settings']) {
    await open(page, path)
    await expect(page.getByText(/\S@\S/).first()).toBeAttached()
    // The customers of other tests have longer ones.
    expect(await findBroken(page, /^(?!browser-)\S+@\S+$/), path).toEqual([])
  }
})

test('at 1280 px, each email address of an order is on one line, and whole in its title', async ({
  page,
}) => {
  await signIn(page, 'admin')
  await page.setViewportSize({ width: 1280, height: 800 })
  await open(page, 'orders')
  const emails = page.getByRole('gridcell').getByTitle(/^\S+@\S+$/)
  await expect(emails).toHaveCount(await page.getByRole('checkbox', { name: /^Select order/ }).count())
  const high = await emails.evaluateAll((all) =>
    all
      .filter((email) => email.clientHeight > 1.5 * parseFloat(getComputedStyle(email).lineHeight))
      .map((email) => email.textContent),
  )
  expect(high).toEqual([])
})

test('stock above 0 is a default badge on Inventory as among the variants', async ({ page }) => {
  await signIn(page, 'admin')
  for (const path of ['inventory', 'inventory?show=all', 'variants?stock=out', 'variants?stock=in']) {
    await open(page, path)
    const badges = await page
      .getByRole('grid')
      .first()
      .locator('td[data-column=stock] span')
      .evaluateAll((badges) =>
        badges.map((badge) => ({
          isPositive: Number(badge.textContent.replaceAll(',', '')) > 0,
          isError: badge.matches('.text-error'),
        })),
      )
    expect(badges.length, path).toBeGreaterThan(5)
    for (const { isPositive, isError } of badges) expect(isError, path).toBe(!isPositive)
  }
})

test('a name that is pasted with a tab is searched for', async ({ page }) => {
  await signIn(page, 'admin')
  await open(page, 'orders')
  await page.getByLabel('Search orders').focus()
  await page.keyboard.insertText('Zyzzyx\tQuorl')
  await expect(page.getByText('No orders match your search.')).toBeVisible()
})

test('an empty page past the end links to the first and last pages', async ({ page }) => {
  await signIn(page, 'admin')
  const after = encodeURIComponent(JSON.stringify(['0001-01-01T00:00:00.000Z', 'x']))
  await open(page, `orders?after=${after}`)
  await expect(page.getByText('No rows on this page.')).toBeVisible()
  await page.getByRole('link', { name: 'Last page' }).click()
  await expect(page.getByRole('grid', { name: 'Orders' }).getByRole('row').nth(1)).toBeVisible()
})

test('a page size that does not exist shows the default one', async ({ page }) => {
  await signIn(page, 'admin')
  await open(page, 'variants?size=37')
  await expect(page.getByRole('combobox', { name: /^Rows/ })).toHaveValue('50')
})

test('when an action removes the focused row, the row in its place takes the focus, and the grid when no row is left', async ({
  page,
}) => {
  await signIn(page, 'admin')
  const headers = { origin: new URL((await page.goto('/admin'))?.url() ?? '').origin }
  for (const name of ['Qqz One', 'Qqz Two'])
    await page.request.post('/api/manufacturers', { data: { name }, headers })
  await open(page, 'manufacturers?q=qqz')
  const remove = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: `Delete ${name}` }).press('Enter')
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
    await expect(page.getByRole('row', { name })).toBeHidden()
  }
  await remove('Qqz One')
  await expect(page.locator('td[data-column="actions"]')).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('gridcell', { name: /variants of|^0$/ })).toBeFocused()
  await remove('Qqz Two')
  await expect(page.getByRole('group', { name: 'Manufacturers' })).toBeFocused()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('buttons that need scripts are hidden, and a notice says so', async ({ page }) => {
    await signIn(page, 'admin')
    await page.goto('/admin/manufacturers?q=abbvie')
    await expect(page.getByText('Some buttons are hidden, because they need JavaScript.')).toBeVisible()
    for (const name of ['Add Manufacturer', 'Edit Abbvie Corporation', 'Delete Abbvie Corporation'])
      await expect(page.getByRole('button', { name, includeHidden: true })).toBeHidden()
    await page.goto('/admin/products?q=naproxen')
    await expect(page.getByRole('link', { name: /^View/ }).first()).toBeVisible()
  })

  test('prices and roles, which are buttons with scripts, are shown as text', async ({ page }) => {
    await signIn(page, 'admin')
    const cellOf = async (column: string) => {
      const header = page.getByRole('columnheader', { name: column })
      const index = await header.evaluate((cell: HTMLTableCellElement) => cell.cellIndex)
      return page.getByRole('row').nth(1).getByRole('gridcell').nth(index)
    }
    await page.goto('/admin/variants?q=naproxen')
    const price = (await cellOf('Price')).getByText(/^\$\d+\.\d\d$/)
    await expect(price).toBeVisible()
    await page.goto('/admin/settings?role=users')
    const role = (await cellOf('Role')).getByText('User', { exact: true })
    await expect(role).toBeVisible()
  })
})

test.describe('a list that cannot be loaded', () => {
  test.use({ allowedOutput: /status of 503/ })

  test('says that its rows may be out of date, until a retry succeeds', async ({ page }) => {
    await signIn(page, 'admin')
    await open(page, 'manufacturers')
    await page.route('**/trpc/manufacturers.list?*', (route) => route.fulfill({ status: 503 }))
    await page.getByLabel('Search manufacturers').fill('abbvie')
    const failure = page.getByRole('alert').filter({ hasText: 'The rows below may be out of date.' })
    await expect(failure).toBeVisible()
    await page.unroute('**/trpc/manufacturers.list?*')
    await failure.getByRole('button', { name: 'Try again' }).press('Enter')
    await expect(failure).toBeHidden()
    await expect(page.getByRole('main')).toBeFocused()
    await expect(page.getByRole('grid').getByText('Abbvie Corporation')).toBeVisible()
    await expect(page.getByText(/^1–1 of 1$/)).toBeVisible()
  })

  test('lets no row be selected until the rows are those of the search', async ({ page }) => {
    await signIn(page, 'admin')
    await open(page, 'orders')
    const checkbox = page.getByRole('checkbox', { name: /^Select order/ }).first()
    const all = page.getByRole('checkbox', { name: 'Select all rows on this page' })
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await checkbox.check()
    await expect(bar).toBeVisible()
    await page.route('**/trpc/orders.list?*', (route) => route.fulfill({ status: 503 }))
    await page.getByLabel('Search orders').fill('meridian.test')
    const failure = page.getByRole('alert').filter({ hasText: 'The rows below may be out of date.' })
    await expect(failure).toBeVisible()
    await expect(checkbox).toBeDisabled()
    await expect(all).toBeDisabled()
    await page.getByRole('gridcell').nth(1).focus()
    await page.keyboard.press('x')
    await expect(bar).toBeHidden()
    await page.unroute('**/trpc/orders.list?*')
    await failure.getByRole('button', { name: 'Try again' }).click()
    await expect(failure).toBeHidden()
    // Until then, the grid shows the rows of before, and a click selects none of them.
    await expect(page.getByRole('grid')).toHaveAttribute('aria-busy', 'false')
    await all.check()
    await expect(bar).toBeVisible()
  })
})

test('at 320 px, menus open whole, and the icons of a row’s menu have words', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await signIn(page, 'admin')
  await open(page, 'inventory')
  const menu = page.locator(':popover-open')
  for (const name of ['Filters', 'Views', 'Columns', 'More']) {
    await page.getByRole('button', { name, exact: true }).first().click()
    await expect(menu, name).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Escape')
  }
  await open(page, 'variants')
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  await expect(menu).toBeInViewport({ ratio: 1 })
  expect(await menu.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  for (const action of await menu.getByRole('button').all())
    expect((await action.boundingBox())?.width).toBeGreaterThan(150)
  await page.keyboard.press('Escape')

  // A found name has a line of its own where its details do not fit beside it.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Page or search' }).fill('ibuprofen')
  const found = page.getByRole('option', { name: /^Ibuprofen and pseudoephedrine/ }).first()
  expect((await found.locator('span').first().boundingBox())?.width).toBeGreaterThan(150)
})

test('the header of the search terms stays in front of the terms that scroll below it', async ({ page }) => {
  await signIn(page, 'pharmacist')
  await page.goto('/admin/screening/needs')
  await page.getByRole('rowheader').nth(20).scrollIntoViewIfNeeded()
  const inFront = await page.getByRole('columnheader', { name: 'Term' }).evaluate((header) => {
    const { left, top, height } = header.getBoundingClientRect()
    return document.elementFromPoint(left + 8, top + height / 2)?.textContent
  })
  expect(inFront).toBe('Term')
})
