import { newProductSchema } from '#domain/catalog/product-fields.ts'
import { shownPicture } from '#domain/catalog/product-pictures.ts'
import { expect, test } from 'vitest'

const copy = '/img/p/copy.png'

test.each([
  ['/img/p/a.png', null, '/img/p/a.png'],
  ['/products.data', null, '/products.data'],
  ['https://pictures.example/a.png', copy, copy],
  ['https://pictures.example/a.png', null, null],
  [null, null, null],
  ['/api/users/1/id-document', null, null],
  ['/profile.data', null, null],
  ['/Orders.DATA?a.png', null, null],
  // Browsers drop control characters at the end of a path, and tabs and line ends in it.
  ['/account\u0001', null, null],
  ['/ord\ters/1', null, null],
])('pages show for the picture %j with the copy %j: %j', (image, copy, shown) => {
  expect(shownPicture(image, copy)).toBe(shown)
})

test.each(['/a.png\u0001', '/a\u0000.png', '/a.png\u009f', '/a.png\u200b\n/b'])(
  'a product’s picture is no path with control characters: %j',
  (image) => {
    const { error } = newProductSchema.safeParse({ name: 'Browserol', image })
    expect(error?.issues.map(({ message }) => message)).toContain(
      'Use a path on this site or an https address.',
    )
  },
)
