import { commonBrands } from '#domain/catalog/common-brands.ts'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('no brand stands for another ingredient than in RxNorm’s list', () => {
  const rows = readFileSync('db/seed/care/rxnorm-brands.tsv', 'utf8').trim().split('\n').slice(1)
  const listed = rows.flatMap((row) => {
    const [brand = '', , , name = ''] = row.toLowerCase().split('\t')
    // RxNorm adds the origin of an insulin: "insulin aspart, human".
    const [ingredient = ''] = name.split(',')
    const generic = commonBrands.get(brand)
    return generic === undefined ? [] : [{ brand, generic, ingredient }]
  })
  expect(listed.length).toBeGreaterThan(40)
  expect(listed.filter(({ generic, ingredient }) => !generic.startsWith(ingredient))).toEqual([])
})
