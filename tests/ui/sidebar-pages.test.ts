import { isCurrentPage, pages } from '#app/routes/admin/frame/pages.ts'
import { expect, test } from 'vitest'

const currentOn = (pathname: string): string[] =>
  pages.filter(({ path }) => isCurrentPage(path, pathname)).map(({ name }) => name)

test.each([
  ['/admin', 'Dashboard'],
  ['/admin/variants/import', 'Products'],
  ['/admin/products', 'Products'],
  ['/admin/inventory/lots/1', 'Inventory'],
  ['/admin/users/1', 'Settings'],
  ['/admin/settings/shop', 'Settings'],
  ['/admin/screening/recalls/1', 'Screening'],
  ['/admin/screening/lists', 'Screening'],
  ['/admin/api/keys', 'API'],
  ['/admin/audit', 'Audit log'],
])('on %s, the link %s is current and no other', (pathname, name) => {
  expect(currentOn(pathname)).toEqual([name])
})
