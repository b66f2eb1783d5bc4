import { isPublicAddress } from '#server/integrations/web/public-address.ts'
import { httpsFiles } from '#server/integrations/web/https-files.ts'
import { connectToAny, type Network } from '#server/integrations/web/public-network.ts'
import { samplePng } from '#tests/support/sample-files.ts'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
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
