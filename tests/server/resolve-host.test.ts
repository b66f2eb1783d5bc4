import { resolveHost } from '#server/integrations/web/resolve-host.ts'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'

/** The question of a query starts after its header (RFC 1035, section 4.1). */
const headerBytes = 12
const noError = 0x8180
const noSuchName = 0x8183

/** A reply with these answers, of the type that was asked for. */
function reply(query: Buffer, flags: number, addresses: readonly (readonly number[])[]): Buffer {
  const header = Buffer.from(query.subarray(0, headerBytes))
  header.writeUInt16BE(flags, 2)
  header.writeUInt16BE(addresses.length, 6)
  header.fill(0, 8)
  const questionEnds = query.indexOf(0, headerBytes) + 5
  const answers = addresses.map((address) =>
    Buffer.from([0xc0, headerBytes, 0, typeOf(query), 0, 1, 0, 0, 0, 60, 0, address.length, ...address]),
  )
  return Buffer.concat([header, query.subarray(headerBytes, questionEnds), ...answers])
}

const typeOf = (query: Buffer): number => query.readUInt16BE(query.indexOf(0, headerBytes) + 1)

/** A DNS server on this machine; a null reply is none. */
async function startDns(answer: (query: Buffer) => Buffer | null): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const sent = answer(query)
    if (sent) socket.send(sent, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  const { port }: AddressInfo = socket.address()
  return `127.0.0.1:${port}`
}

const running = (): AbortSignal => new AbortController().signal

test('a host has all of its addresses, also without one of a family', async () => {
  const addressesOf: Record<number, number[][]> = {
    1: [
      [93, 184, 216, 34],
      [93, 184, 216, 35],
    ],
  }
  const dns = await startDns((query) => reply(query, noError, addressesOf[typeOf(query)] ?? []))
  const found = await resolveHost('receiver.example', running(), [dns])
  expect(found.toSorted()).toEqual(['93.184.216.34', '93.184.216.35'])
})

test.each([
  { family: 'IPv6', type: 1, bytes: [93, 184, 216, 34], found: '93.184.216.34' },
  {
    family: 'IPv4',
    type: 28,
    bytes: [0x26, 6, ...Buffer.alloc(14, 1)],
    found: '2606:101:101:101:101:101:101:101',
  },
])('a DNS server that drops queries for $family addresses is not asked again', async (answer) => {
  const asked: number[] = []
  const dns = await startDns((query) => {
    asked.push(typeOf(query))
    return typeOf(query) === answer.type ? reply(query, noError, [answer.bytes]) : null
  })
  expect(await resolveHost('receiver.example', running(), [dns])).toEqual([answer.found])
  expect(asked.toSorted((a, b) => a - b)).toEqual([1, 28])
})

test('a host that does not exist is not found', async () => {
  const dns = await startDns((query) => reply(query, noSuchName, []))
  await expect(resolveHost('nowhere.example', running(), [dns])).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test('an aborted search for a host ends, although its DNS server never replies', async () => {
  const stop = new AbortController()
  const dns = await startDns(() => {
    stop.abort()
    return null
  })
  const search = resolveHost('silent.example', stop.signal, [dns])
  await expect(search).rejects.toMatchObject({ code: 'ECANCELLED' })
  await expect(resolveHost('silent.example', stop.signal, [dns])).rejects.toThrow(/abort/i)
})
