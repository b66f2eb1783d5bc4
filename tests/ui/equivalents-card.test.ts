import { renderEquivalents } from '#app/routes/catalog/equivalents-card.server.tsx'
import { variantDetail } from '#tests/support/variant-detail.ts'
import { expect, test } from 'vitest'

const groupOf = (name: string, { isChoice }: { isChoice: boolean }) => {
  const offer = variantDetail()
  return { code: 'AB', name, ids: [offer.id], offers: [offer], isChoice, saving: null }
}

const footOf = (...groups: ReturnType<typeof groupOf>[]): string =>
  renderEquivalents({ product: { id: 'p' }, variants: [] }, { groups, listDate: null }).foot

test('the card lists and counts the strengths and forms that have a choice', () => {
  const tablet = groupOf('50 mg tablet', { isChoice: true })
  const capsule = groupOf('50 mg capsule', { isChoice: true })
  const single = groupOf('100 mg tablet', { isChoice: false })
  const foot = footOf(tablet, capsule, single)
  expect(foot).toContain('Show all strengths and forms: 2<')
  expect(foot).not.toContain('100 mg tablet')
  expect(footOf(tablet)).not.toContain('<details>')
  expect(footOf(single, groupOf('200 mg tablet', { isChoice: false }))).not.toContain('<details>')
})

test('the only strength and form with a choice is listed beside the ones without', () => {
  const foot = footOf(
    groupOf('50 mg tablet', { isChoice: true }),
    groupOf('100 mg tablet', { isChoice: false }),
  )
  expect(foot).toContain('Show the strength and form with more than one choice')
  expect(foot).toContain('50 mg tablet')
  expect(foot).not.toContain('100 mg tablet')
})
