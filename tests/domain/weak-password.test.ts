import { findWeakness } from '#domain/accounts/weak-password.ts'
import { expect, test } from 'vitest'

const weaknessOf = (password: string, email = 'zoe.ohara@customer.example') =>
  findWeakness(password, email, (folded) => ['password1234', 'letmeinplease'].includes(folded))

test.each([
  ['password1234', 'common'],
  ['PASSWORD1234', 'common'],
  ['--Password1234!!', 'common'],
  ['ｌｅｔｍｅｉｎｐｌｅａｓｅ', 'common'],
  ['aaaaaaaaaaaa', 'pattern'],
  ['            ', 'pattern'],
  ['🔑'.repeat(128), 'pattern'],
  ['aaaaaabbbbbb', 'pattern'],
  ['123456789012', 'pattern'],
  ['abcdefghijkl', 'pattern'],
  ['zyxwvutsrqpo', 'pattern'],
  ['qwertyuiop12', 'pattern'],
  ['Asdfghjkl;123', 'pattern'],
  ['abcabcabcabcab', 'pattern'],
  ['zoe.ohara@customer.example', 'predictable'],
  ['Zoe.Ohara-2026', 'predictable'],
  ['OharaZoe1987!', 'predictable'],
  ['meridian2026', 'predictable'],
  ['Meridian Pharmacy', 'predictable'],
  ['P@ssw0rd-2026', 'predictable'],
])('%j is easy to guess: %s', (password, weakness) => {
  expect(weaknessOf(password)).toBe(weakness)
})

test.each([
  'correct horse battery',
  'пароль-пароль',
  'twelve signs',
  '483920174659',
  'aB3$kL9!mN2#',
  'zoe rides a green bicycle',
  'meridian of my heart',
  'letmeinpleases',
])('%j is not', (password) => {
  expect(weaknessOf(password)).toBeNull()
})

test('one letter or no address refuses no more than it should', () => {
  for (const email of ['a@b.example', '@', '']) {
    expect(weaknessOf('correct horse battery', email)).toBeNull()
  }
})
