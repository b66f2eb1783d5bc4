import { cutPage, fillPage } from '#app/http/cut-page.server.ts'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const between = (text: string): Buffer[] => text.split('|').map((part) => Buffer.from(part))
const parts = ['<a>', '<b>']

test.each([
  ['x|<a>-<b>|y', 'xN<A>-<Bé>Ny'],
  ['<a><b>', '<A><Bé>'],
  ['é<a>|é<b>é', 'é<A>Né<Bé>é'],
  [`${'long '.repeat(500)}<a><b>`, `${'long '.repeat(500)}<A><Bé>`],
])('%s with other parts is %s, compressed too', (text, filled) => {
  const page = cutPage(between(text), parts)
  if (!page) throw new Error('The page was not cut.')
  const fill = (gzip: boolean): Buffer => fillPage(page, ['<A>', '<Bé>'], { nonce: 'N', gzip })
  expect(fill(false).toString()).toBe(filled)
  // Throws when the checksum or the length is wrong.
  expect(gunzipSync(fill(true)).toString()).toBe(filled)
})

test.each(['<a>', '<b><a>', '<a><b><b>', '<a>|<a><b>', 'x'])(
  'a page %s is not cut: a part is missing, repeated or out of order',
  (text) => {
    expect(cutPage(between(text), parts)).toBeNull()
  },
)
