import { createGzipTemplate, fillGzip, readParts } from '../../app/http/gzip-template.server.ts'
import { seeded } from '#tests/support/seeded.ts'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

test('a filled template is the gzip of the parts with the text between them', () => {
  const random = seeded(40)
  const bytesOf = (length: number): Buffer =>
    Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))
  const shapes = [[0], [5], [0, 0], [1, 0, 3], [70_000, 1, 300], [4000, 200, 0, 90_000, 17]]
  for (const gap of [1, 22, 300])
    for (const shape of shapes) {
      const parts = shape.map(bytesOf)
      const template = createGzipTemplate(parts, gap)
      const texts = [Buffer.alloc(gap), Buffer.alloc(gap, 255), bytesOf(gap)]
      for (const text of texts) {
        const whole = Buffer.concat(parts.flatMap((part, i) => (i === 0 ? [part] : [text, part])))
        // Throws when the checksum or the length is wrong.
        expect(gunzipSync(fillGzip(template, text)).equals(whole)).toBe(true)
      }
      expect(readParts(template)).toEqual(parts)
    }
})

test('a template keeps no more memory than its own bytes', () => {
  const { bytes } = createGzipTemplate([Buffer.from('<p>'), Buffer.from('</p>')], 22)
  expect(bytes.buffer.byteLength).toBe(bytes.length)
})
