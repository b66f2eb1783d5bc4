import { fold } from '#domain/text.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test.each([
  ["Comprimés d'acétaminophène", 'comprimes d acetaminophene'],
  ['  Amoxicillin/Clavulanate   875-125 mg ', 'amoxicillin clavulanate 875 125 mg'],
  ['ﬁlm–coated', 'film coated'],
  ['½ TABLET', '1 2 tablet'],
  ['５００ｍｇ', '500mg'],
  ['%_"\'*()', ''],
  ['', ''],
])('folds %j to %j', (text, folded) => {
  expect(fold(text)).toBe(folded)
})

test('survives lone surrogates and null characters', () => {
  expect(fold('a\uD800b\uDC00c\0d')).toBe('a b c d')
})

test('folding is idempotent and leaves no SQL or LIKE metacharacters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const once = fold(text)
      expect(fold(once)).toBe(once)
      expect(once).not.toMatch(/[%_'"*\\\0]|\s\s|^\s|\s$/)
    }),
  )
})
