import type { Db } from '#db/engine/client.ts'
import type { Context } from '#server/context.ts'
import { createProduct } from '#server/catalog/create-product.ts'
import { getProduct } from '#server/catalog/get-product.ts'
import { updateProduct } from '#server/catalog/update-product.ts'
import { findProductRow } from '#db/catalog/product-rows.ts'
import { findProductCard } from '#db/catalog/products.ts'
import { openPicture } from '#server/files/open-picture.ts'
import { isPublicAddress } from '#server/integrations/web/public-address.ts'
import { httpsFiles } from '#server/integrations/web/https-files.ts'
import { connectToAny, type Network } from '#server/integrations/web/public-network.ts'
import type { PublicFiles } from '#server/integrations/web/public-files.ts'
import { fetchPictures } from '#server/jobs/fetch-pictures.ts'
import { newProductSchema } from '#domain/catalog/product-fields.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { testDay } from '#tests/support/catalog.ts'
import { jobParts, signedIn, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { jpegSegment, sampleJpeg, samplePng } from '#tests/support/sample-files.ts'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createServer as createTlsServer } from 'node:tls'
import { expect, test } from 'vitest'

const limits = { maxBytes: 100_000, timeoutMs: 2000 }

/** A site on loopback, and a network whose public address leads there. */
async function openSite(listener: RequestListener, addresses: Record<string, string[]> = {}) {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const connections: string[] = []
  const resolved: string[] = []
  const network: Network = {
    resolve: async (host) => {
      resolved.push(host)
      return addresses[host] ?? ['1.1.1.1']
    },
    connect: (found, host) => {
      connections.push(`${host} at ${found.join(', ')}`)
      return connect(port, '127.0.0.1')
    },
  }
  return {
    files: httpsFiles(network),
    connections,
    resolved,
    close: () => server.closeAllConnections() ?? server.close(),
  }
}

test('only addresses of the public internet are public', () => {
  for (const address of ['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700::1111', '2a00::1']) {
    expect(isPublicAddress(address), address).toBe(true)
  }
  for (const address of [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '203.0.113.9',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    '2001::1',
    '0x7f.1',
    'localhost',
    '',
  ]) {
    expect(isPublicAddress(address), address).toBe(false)
  }
})

test('a file is fetched from the addresses that were checked, and the host is resolved once', async () => {
  const requests: unknown[] = []
  const { files, connections, resolved, close } = await openSite(
    ({ url, headers }, reply) => {
      requests.push([url, headers.host, headers.cookie, headers.referer])
      reply.end(samplePng())
    },
    { 'pictures.example': ['1.1.1.1', '2606:4700::1111'] },
  )
  const result = await files.fetch('https://pictures.example/a%20b.png?size=1', limits)
  expect(result).toEqual({ outcome: 'fetched', bytes: samplePng() })
  expect(requests).toEqual([['/a%20b.png?size=1', 'pictures.example', undefined, undefined]])
  expect(connections).toEqual(['pictures.example at 1.1.1.1, 2606:4700::1111'])
  expect(resolved).toEqual(['pictures.example'])
  close()
})

test('the next address is tried when one is unreachable, and its certificate must match the host', async () => {
  const names: string[] = []
  const server = createTlsServer({
    key: readFileSync('tests/fixtures/tls/key.pem'),
    cert: readFileSync('tests/fixtures/tls/certificate.pem'),
    SNICallback: (name, done) => {
      names.push(name)
      done(null)
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const connection = connectToAny(['::1', '127.0.0.1'], 'pictures.example', port)
  expect(await once(connection, 'error')).toMatchObject([{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }])
  expect(names).toEqual(['pictures.example'])
  server.close()
})

test('connecting to a host with no reachable address fails', async () => {
  // TCP connects to neither broadcast nor multicast addresses, so both attempts fail at once.
  const connection = connectToAny(['255.255.255.255', 'ff02::1'], 'pictures.example')
  expect(await once(connection, 'error')).toMatchObject([
    { errors: [{ syscall: 'connect' }, { syscall: 'connect' }] },
  ])
})

test('private addresses, other schemes and ports are refused without a connection', async () => {
  const { files, connections, close } = await openSite((_, reply) => reply.end('secret'), {
    'inside.example': ['10.0.0.1'],
    // Rebinding: one address is public.
    'both.example': ['1.1.1.1', '127.0.0.1'],
    'mapped.example': ['::ffff:169.254.169.254'],
  })
  for (const url of [
    'https://inside.example/x',
    'https://both.example/x',
    'https://mapped.example/x',
    'https://127.0.0.1/x',
    'https://2130706433/x',
    'https://[::1]/x',
    'https://169.254.169.254/latest/meta-data',
    'http://pictures.example/x',
    'https://pictures.example:8443/x',
    'https://user:secret@pictures.example/x',
    'file:///etc/passwd',
    'nothing',
  ]) {
    expect(await files.fetch(url, limits), url).toMatchObject({ outcome: 'refused' })
  }
  expect(connections).toEqual([])
  close()
})

test('redirects are checked like the first address, and are few', async () => {
  const targets: Record<string, string> = {
    '/moved': 'https://other.example/picture',
    '/relative': '/picture',
    '/inside': 'https://inside.example/admin',
    '/plain': 'http://pictures.example/picture',
    '/loop': '/loop',
  }
  const { files, connections, close } = await openSite(
    ({ url = '' }, reply) => {
      const target = targets[url]
      if (target === undefined) reply.end(samplePng())
      else reply.writeHead(302, { Location: target }).end()
    },
    { 'inside.example': ['192.168.1.1'] },
  )
  const outcome = async (path: string) =>
    (await files.fetch(`https://pictures.example${path}`, limits)).outcome
  expect(await outcome('/moved')).toBe('fetched')
  expect(connections).toEqual(['pictures.example at 1.1.1.1', 'other.example at 1.1.1.1'])
  expect(await outcome('/relative')).toBe('fetched')
  expect(await outcome('/inside')).toBe('refused')
  expect(await outcome('/plain')).toBe('refused')
  connections.length = 0
  expect(await outcome('/loop')).toBe('refused')
  expect(connections).toHaveLength(4)
  close()
})

test('size and time are bounded, and failures are no errors', async () => {
  let endless = 0
  const { files, close } = await openSite(({ url }, reply) => {
    if (url === '/missing') reply.writeHead(404).end()
    else if (url === '/packed') reply.writeHead(200, { 'Content-Encoding': 'gzip' }).end('x')
    else if (url === '/cut') reply.writeHead(200, { 'Content-Length': 100 }).write('x', () => reply.destroy())
    else if (url === '/slow') reply.writeHead(200).write('x')
    else if (url === '/silent') return
    else if (url === '/large') {
      reply.writeHead(200)
      const more = (): void => {
        endless += 10_000
        if (!reply.destroyed) reply.write(Buffer.alloc(10_000), () => more())
      }
      more()
    }
  })
  const fetch = (path: string, timeoutMs = 2000) =>
    files.fetch(`https://pictures.example${path}`, { ...limits, timeoutMs })
  expect(await fetch('/missing')).toEqual({
    outcome: 'unreachable',
    reason: 'The site answered with status 404.',
  })
  expect(await fetch('/packed')).toMatchObject({ outcome: 'refused' })
  expect(await fetch('/cut')).toMatchObject({ outcome: 'unreachable' })
  expect(await fetch('/slow', 100)).toEqual({ outcome: 'unreachable', reason: 'The site took too long.' })
  expect(await fetch('/silent', 100)).toEqual({ outcome: 'unreachable', reason: 'The site took too long.' })
  expect(await fetch('/large')).toMatchObject({ outcome: 'refused' })
  expect(endless).toBeLessThan(5_000_000)
  const unresolved = httpsFiles({
    resolve: () => Promise.reject(Object.assign(new Error('getaddrinfo 10.0.0.53'), { code: 'ENOTFOUND' })),
    connect: () => expect.unreachable(),
  })
  expect(await unresolved.fetch('https://pictures.example/x', limits)).toEqual({
    outcome: 'unreachable',
    reason: 'The site can’t be reached (ENOTFOUND).',
  })
  const hanging = httpsFiles({
    resolve: (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('late')))),
    connect: () => expect.unreachable(),
  })
  expect(await hanging.fetch('https://pictures.example/x', { ...limits, timeoutMs: 50 })).toMatchObject({
    outcome: 'unreachable',
  })
  close()
})

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
      reason: 'It is larger than 5 MB.',
    }
    await runAt(11.5)
    expect(await shownOf(db, id)).toMatch(/^\/img\/p\//)
    expect(await attempts()).toBeUndefined()
    expect(await db.selectFrom('pictureFetches').select(['dueAt', 'problem']).execute()).toEqual([
      { dueAt: null, problem: 'It is larger than 5 MB.' },
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
