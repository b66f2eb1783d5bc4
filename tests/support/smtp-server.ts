import { createServer, type Socket } from 'node:net'

/** A received mail: its recipients, its header by lower-case names, and its text. */
export type ReceivedMail = { to: string[]; header: Map<string, string>; text: string; raw: string }

/** The commands whose reply a test may override. END is the end of the data. */
export type SmtpMoment = 'MAIL' | 'RCPT' | 'DATA' | 'END'

/**
 * A reply line such as "451 later". `break` closes the connection, `silence` sends no reply, and
 * null is the default reply.
 */
export type SmtpAnswer = (moment: SmtpMoment, count: number) => string | null

export type SmtpServer = { url: string; received: ReceivedMail[]; close: () => Promise<void> }

const defaultReplies: Record<SmtpMoment, string> = {
  MAIL: '250 OK',
  RCPT: '250 OK',
  DATA: '354 Send the message',
  END: '250 Accepted',
}

/**
 * A mail server on a free local port, with the part of RFC 5321 that our client uses.
 * @param answer its reply to a command that arrives for the `count`-th time, from 1
 */
export async function startSmtpServer(answer: SmtpAnswer = () => null): Promise<SmtpServer> {
  const received: ReceivedMail[] = []
  const counts: Record<SmtpMoment, number> = { MAIL: 0, RCPT: 0, DATA: 0, END: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // The client may close the connection before the reply arrives.
    socket.on('error', () => socket.destroy())
    handleConnection(socket, (moment) => answer(moment, ++counts[moment]) ?? defaultReplies[moment], received)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The mail server has no port.')
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await new Promise((done) => server.close(done))
  }
  return { url: `smtp://127.0.0.1:${address.port}`, received, close }
}

function handleConnection(
  socket: Socket,
  replyTo: (moment: SmtpMoment) => string,
  received: ReceivedMail[],
): void {
  let buffer = ''
  let to: string[] = []
  let inData = false
  const writeLine = (line: string): void => void socket.write(`${line}\r\n`)
  /** Sends the reply. Returns whether the client may continue. */
  const replyAt = (moment: SmtpMoment): boolean => {
    const reply = replyTo(moment)
    if (reply === 'break') socket.destroy()
    else if (reply !== 'silence') writeLine(reply)
    return /^[23]/.test(reply)
  }
  const handleLine = (line: string): void => {
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'EHLO' || verb === 'HELO') writeLine('250 mail.test')
    else if (verb === 'MAIL') {
      to = []
      replyAt('MAIL')
    } else if (verb === 'RCPT') {
      if (replyAt('RCPT')) to.push(/<(.*)>/.exec(line)?.[1] ?? '')
    } else if (verb === 'DATA') inData = replyAt('DATA')
    else if (verb === 'QUIT') {
      writeLine('221 Bye')
      socket.end()
    } else if (verb === 'RSET' || verb === 'NOOP') writeLine('250 OK')
    else writeLine('500 Unknown command')
  }
  writeLine('220 mail.test ESMTP')
  socket.on('data', (chunk: Buffer) => {
    buffer += chunk.toString('utf8')
    for (;;) {
      const ending = inData ? '\r\n.\r\n' : '\r\n'
      const end = buffer.indexOf(ending)
      if (end < 0) return
      const part = buffer.slice(0, end)
      buffer = buffer.slice(end + ending.length)
      if (!inData) handleLine(part)
      else {
        inData = false
        if (replyAt('END')) received.push(readMail(to, part))
      }
    }
  })
}

function readMail(to: string[], data: string): ReceivedMail {
  const raw = data.replace(/^\.\./gm, '.')
  const split = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, split)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const header = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  return {
    to,
    header,
    raw,
    text: decode(raw.slice(split + 4), header.get('content-transfer-encoding') ?? ''),
  }
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8').replaceAll('\r\n', '\n')
  if (encoding !== 'quoted-printable') return body.replaceAll('\r\n', '\n')
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n')
}
