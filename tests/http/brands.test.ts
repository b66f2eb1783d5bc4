import { refreshProductSummaries } from '#db/catalog/product-summaries.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { readLinks } from '#tests/support/page-head.ts'
import { readMain } from '#tests/support/page-text.ts'
import { eachShop, type Shop } from '#tests/support/shop.ts'
import { beforeAll, expect, test } from 'vitest'

const brandLinks = (html: string): string[] =>
  readLinks(html).filter((href) => /^\/products\/[0-9a-f-]{36}\?variant=[0-9a-f-]{36}$/.test(href))

eachShop((openShop) => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
  })

  const read = async (path: string, otherShop = shop): Promise<string> => {
    const response = await otherShop.visit().get(path)
    expect(response.status, path).toBe(200)
    return response.text()
  }

  test('each brand links to its product with the brand selected, and back links to the products', async () => {
    const html = await read('/brands')
    expect(readMain(html)).toContain('Shop by Brand')
    expect(readLinks(html)).toContain('/products')
    const links = brandLinks(html)
    expect(links).toHaveLength(48)
    const [first = ''] = links
    const [variant] = await shop.db
      .selectFrom('productVariants')
      .select('brandName')
      .where('id', '=', new URL(first, shop.origin).searchParams.get('variant') ?? '')
      .execute()
    const page = await read(first)
    const chosen = /<input[^>]*\schecked[^>]*>/.exec(page)?.[0] ?? ''
    expect(chosen).toContain(`value="${new URL(first, shop.origin).searchParams.get('variant')}"`)
    expect(readMain(page)).toContain(variant?.brandName)
  })

  test('letters, pages and searches have URLs without empty parameters', async () => {
    const html = await read('/brands?letter=&q=&page=')
    const links = readLinks(html)
    expect(links).toContain('/brands?page=2')
    expect(links).toContain('/brands?letter=A')
    expect(links.filter((href) => /[?&][a-z]+=(&|$)/.test(href))).toEqual([])
    expect(html).toMatch(/<a[^>]*aria-current="page"[^>]*aria-label="All brands"/)

    const letter = await read('/brands?letter=A')
    expect(readLinks(letter)).toContain('/brands?letter=A&page=2')
    expect(letter).toMatch(/<a[^>]*aria-current="page"[^>]*aria-label="A"/)

    const found = await read('/brands?q=apo')
    expect(readMain(found)).toMatch(/\d+ brands for “apo”/)
    expect(readLinks(found)).toContain('/brands?q=apo&page=2')
    expect(found).not.toMatch(/<a[^>]*aria-current="page"[^>]*aria-label="(All brands|[A-Z]|Numbers)[^>]*>/)
    expect(found).toMatch(/<input[^>]*name="q"[^>]*value="apo"/)
  })

  test.each(['/brands?', '/brands?letter=A&', '/products?', '/products?category=OTC&'])(
    '%spage=9999 says that the last page is shown, and links to others with the same filters',
    async (path) => {
      const html = await read(`${path}page=9999`)
      expect(readMain(html)).toContain('There is no page 9,999. This is the last page.')
      expect(readLinks(html)).toContainEqual(expect.stringContaining(`${path}page=`))
      expect(readMain(await read(`${path}page=2`))).not.toContain('There is no page')
    },
  )

  test('a letter without brands is not a link', async () => {
    const used = new Set(
      (await shop.db.selectFrom('productBrands').select('letter').distinct().execute()).map(
        ({ letter }) => letter,
      ),
    )
    const links = readLinks(await read('/brands'))
    for (const letter of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'other'] as const)
      expect(links.includes(`/brands?letter=${letter}`), letter).toBe(used.has(letter))
    const unused = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].find(
      (letter) => ![...used].some((one) => one === letter),
    )
    expect(readMain(await read(`/brands?letter=${unused}`))).toContain(`No brands start with ${unused}.`)
  })

  test('a search without results says so and links to all medications', async () => {
    const html = await read('/brands?q=%3Cscript%3Ezzz')
    expect(readMain(html)).toContain('No brands found')
    expect(html).not.toContain('<script>zzz')
    expect(readLinks(html)).toContain('/products?q=%3Cscript%3Ezzz')
  })

  test('a shop without brands shows the documented message', async () => {
    const otherShop = await openShop({ catalog: 'empty' })
    const empty = await read('/brands', otherShop)
    expect(readMain(empty)).toContain('No brands available at the moment.')
    expect(brandLinks(empty)).toEqual([])

    const productId = await addProduct(otherShop.db, { name: 'Ibuprofen <b>' })
    await addVariant(otherShop.db, { productId, brandName: null })
    await refreshProductSummaries(otherShop.db, [productId])
    expect(readMain(await read('/brands', otherShop))).toContain('No brands available at the moment.')

    await addVariant(otherShop.db, { productId, brandName: 'Advil & Co' })
    const other = await addProduct(otherShop.db, { name: 'Naproxen', unitsSold: 9 })
    const shown = await addVariant(otherShop.db, { productId: other, brandName: 'ADVIL & CO' })
    await refreshProductSummaries(otherShop.db, [productId, other])
    const html = await read('/brands', otherShop)
    expect(brandLinks(html)).toEqual([`/products/${other}?variant=${shown}`])
    expect(readMain(html)).toContain('1 more medicine')
    expect(readLinks(html)).toContain('/products?q=ADVIL%20%26%20CO')
  })

  test.each([
    ['no letter', 'letter=%01'],
    ['two letters', 'letter=AA'],
    ['page zero', 'page=0'],
    ['a page before the first', 'page=-3'],
    ['a page beyond all integers', 'page=1e99'],
    ['a page beyond the last', 'page=999999999'],
    ['invalid encoding', 'q=%ff'],
    ['punctuation only', 'q=%25_%27'],
    ['a very long name', `q=${'a'.repeat(9000)}`],
  ])('/brands with %s is a page', async (_, query) => {
    expect(readMain(await read(`/brands?${query}`))).toContain('Shop by Brand')
  })
})
