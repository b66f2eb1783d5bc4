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
])('pages show for the picture %j with the copy %j: %j', (image, copy, shown) => {
  expect(shownPicture(image, copy)).toBe(shown)
})
