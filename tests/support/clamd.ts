import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeTestFolder } from './test-folder.ts'

/** The harmless file that every scanner reports (eicar.org), split so that this file is none. */
export const eicar = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
)

export type TestClamd = { path: string; stop: () => Promise<void> }

const program = '/usr/sbin/clamd'
/** Debian's package clamav-daemon. */
export const isClamdInstalled = existsSync(program)

/** The real daemon with a database of one signature: EICAR's, anywhere in a file. */
export async function startClamd(): Promise<TestClamd> {
  const folder = makeTestFolder('clamd')
  const path = join(folder, 'socket')
  writeFileSync(join(folder, 'test.ndb'), `Eicar-Test-Signature:0:*:${eicar.toString('hex')}\n`)
  const config = join(folder, 'clamd.conf')
  const lines = [
    'Foreground yes',
    `DatabaseDirectory ${folder}`,
    `LocalSocket ${path}`,
    `TemporaryDirectory ${folder}`,
    'MaxThreads 2',
    // Below the size of the largest file that the test sends.
    'StreamMaxLength 1M',
  ]
  writeFileSync(config, `${lines.join('\n')}\n`)
  const daemon = spawn(program, ['-c', config], { stdio: 'ignore' })
  await untilListening(path, daemon)
  return {
    path,
    async stop() {
      const exited = once(daemon, 'exit')
      daemon.kill()
      await exited
      rmSync(folder, { recursive: true })
    },
  }
}

async function untilListening(path: string, daemon: ChildProcess): Promise<void> {
  const until = Date.now() + 30_000
  for (;;) {
    if (daemon.exitCode !== null) throw new Error(`clamd ended with ${daemon.exitCode}.`)
    if (await accepts(path)) return
    if (Date.now() > until) throw new Error('clamd does not listen.')
    await sleep(50)
  }
}

const accepts = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ path })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/**
 * A stand-in that speaks INSTREAM with the replies of man 8 clamd: OK, FOUND, and ERROR above the
 * size limit, after which it closes.
 */
export async function startClamdStandIn(): Promise<TestClamd> {
  const folder = makeTestFolder('clamd')
  const path = join(folder, 'socket')
  const server = createServer((socket) => {
    let received = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes])
      const reply = answer(received)
      if (reply !== null) socket.end(`${reply}\0`)
    })
  })
  server.listen(path)
  await once(server, 'listening')
  return {
    path,
    async stop() {
      server.close()
      await once(server, 'close')
      rmSync(folder, { recursive: true })
    },
  }
}

const command = 'zINSTREAM\0'

function answer(received: Buffer): string | null {
  if (received.length < command.length) return null
  if (received.toString('latin1', 0, command.length) !== command) return 'UNKNOWN COMMAND'
  const chunks: Buffer[] = []
  for (let at = command.length; received.length >= at + 4;) {
    const length = received.readUInt32BE(at)
    const file = Buffer.concat(chunks)
    if (file.length > 1024 * 1024) return 'INSTREAM size limit exceeded. ERROR'
    if (length === 0) return file.includes(eicar) ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK'
    chunks.push(received.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return null
}
