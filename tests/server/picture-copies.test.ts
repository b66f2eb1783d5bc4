import type { Db } from '#db/engine/client.ts'
import type { Context } from '#server/context.ts'
import { createProduct } from '#server/catalog/create-product.ts'
import { getProduct } from '#server/catalog/get-product.ts'
import { updateProduct } from '#server/catalog/update-product.ts'
import { findProductRow } from '#db/catalog/product-rows.ts'
import { findProductCard } from '#db/catalog/products.ts'
import { openPicture } from '#server/files/open-picture.ts'
import type { PublicFiles } from '#server/integrations/web/public-files.ts'
import { fetchPictures } from '#server/jobs/fetch-pictures.ts'
import { newProductSchema } from '#domain/catalog/product-fields.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { testDay } from '#tests/support/catalog.ts'
import { jobParts, signedIn, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { jpegSegment, sampleJpeg } from '#tests/support/sample-files.ts'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const photo = sampleJpeg(jpegSegment(0xe1, Buffer.from('Exif\0\0GPS 40.7128 N')))
const remote = 'https://pictures.example/aspirin.jpg'
const newProduct = (image: string) => newProductSchema.parse({ name: 'Aspirin', image, category: 'OTC' })

/** Other sites, as they answer now. */
function standIn(answers: Record<string, Awaited<ReturnType<PublicFiles['fetch']>>>) {
  const fetched: string[] = []
  const publicFiles: PublicFiles = {
    fetch: async (url) => {
      fetched.push(url)
      return answers[url] ?? { outcome: 'unreachable', reason: 'The site answered with status 404.' }
    },
  }
  return { publicFiles, fetched, answers }
}

async function adminOf(db: Db, publicFiles: PublicFiles): Promise<Context> {
  const user = signedIn(await makeUser(db, { isAdmin: true }), { isAdmin: true })
  return testContext(db, { user, publicFiles })
}

const shownOf = async (db: Db, id: string) => (await findProductCard(db, id))?.image ?? ''
const never = new AbortController().signal

eachEngine((_engine, openDb) => {
  test('a picture of another site is fetched once, cleaned and shown from our origin', async () => {
    const db = await openDb()
    const { publicFiles, fetched } = standIn({ [remote]: { outcome: 'fetched', bytes: photo } })
    const ctx = await adminOf(db, publicFiles)
    const product = await createProduct(ctx, newProduct(remote))
    expect(product.image).toBe(remote)
    const shown = await shownOf(db, product.id)
    expect(shown).toMatch(/^\/img\/p\/[\w-]+\.jpg$/)
    const { open } = await openPicture(ctx, shown.slice('/img/p/'.length))
    expect(await buffer(await open())).toEqual(sampleJpeg())
    await updateProduct(ctx, product.id, { image: remote, description: 'new' })
    expect(fetched).toEqual([remote])
    // A path of ours replaces it.
    await updateProduct(ctx, product.id, { image: '/share.png' })
    expect(await shownOf(db, product.id)).toBe('/share.png')
    expect(await findProductRow(db, product.id)).toMatchObject({ pictureProblem: null })
    expect(await db.selectFrom('products').select('imageCopy').executeTakeFirst()).toEqual({
      imageCopy: null,
    })
  })

  test('what is no picture, or not on the public internet, does not stop the save and is given up', async () => {
    const db = await openDb()
    const { publicFiles } = standIn({
      'https://pictures.example/page': { outcome: 'fetched', bytes: Buffer.from('<html>hello there</html>') },
      'https://inside.example/x': {
        outcome: 'refused',
        reason: 'The address must be on the public internet.',
      },
    })
    const ctx = await adminOf(db, publicFiles)
    const { id: updated } = await createProduct(ctx, newProduct('/share.png'))
    for (const [image, problem] of [
      ['https://pictures.example/page', /JPG or PNG/],
      ['https://inside.example/x', /public internet/],
    ] as const) {
      const { id: created } = await createProduct(ctx, newProduct(image))
      await updateProduct(ctx, updated, { image })
      for (const id of [created, updated]) {
        expect((await getProduct(ctx, id, { variants: false })).image).toBe(image)
        expect(await shownOf(db, id)).toMatch(/^\/img\/[^p]/)
        expect(
          await db.selectFrom('pictureFetches').selectAll().where('productId', '=', id).executeTakeFirst(),
        ).toMatchObject({ url: image, dueAt: null, problem: expect.stringMatching(problem) })
        // The back office shows why.
        expect(await findProductRow(db, id)).toMatchObject({
          pictureProblem: expect.stringMatching(problem),
        })
      }
    }
  })

  test('until another site answers, the illustration is shown and the job tries again', async () => {
    const db = await openDb()
    const { publicFiles, fetched, answers } = standIn({})
    const ctx = await adminOf(db, publicFiles)
    const { id } = await createProduct(ctx, newProduct(remote))
    // As a product of an earlier version: its address was never fetched.
    const earlier = await createProduct(ctx, newProduct('https://pictures.example/earlier.jpg'))
    expect((await getProduct(ctx, id, { variants: false })).image).toBe(remote)
    expect(await shownOf(db, id)).toMatch(/^\/img\/[^p]/)
    const runAt = (minutes: number, signal = never) =>
      fetchPictures(
        { db, log: ctx.log, keys: testKeys, now: () => new Date(testDay.getTime() + minutes * 60_000) },
        { ...jobParts(db), publicFiles },
        signal,
      )
    const attempts = async () =>
      (
        await db
          .selectFrom('pictureFetches')
          .select(['attempts', 'dueAt'])
          .where('productId', '=', id)
          .execute()
      )[0]
    fetched.length = 0
    await runAt(0.5)
    expect(fetched).toEqual([])
    await Promise.all([runAt(1), runAt(1)])
    expect(fetched.toSorted()).toEqual([remote, 'https://pictures.example/earlier.jpg'])
    await runAt(5)
    expect(fetched).toHaveLength(2)
    answers[remote] = { outcome: 'fetched', bytes: photo }
    answers['https://pictures.example/earlier.jpg'] = {
      outcome: 'refused',
      reason: 'The file is larger than 5 MB.',
    }
    await runAt(11.5)
    expect(await shownOf(db, id)).toMatch(/^\/img\/p\//)
    expect(await attempts()).toBeUndefined()
    expect(await db.selectFrom('pictureFetches').select(['dueAt', 'problem']).execute()).toEqual([
      { dueAt: null, problem: 'The file is larger than 5 MB.' },
    ])
    expect(await shownOf(db, earlier.id)).toMatch(/^\/img\/[^p]/)
    // A picture that never arrives is given up, and only then has a problem.
    const problem = async () => (await findProductRow(db, id))?.pictureProblem
    await updateProduct(ctx, id, { image: 'https://pictures.example/gone.jpg' })
    await runAt(1 * 24 * 60)
    expect(await problem()).toBeNull()
    for (let day = 2; day <= 10; day++) await runAt(day * 24 * 60)
    expect(await attempts()).toEqual({ attempts: 6, dueAt: null })
    expect(await problem()).toBe('The site answered with status 404.')
  })
})
