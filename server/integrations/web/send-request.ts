import type { ClientRequest, IncomingMessage } from 'node:http'

/**
 * Sends a request and waits for the head of its reply. Always settles: after a reply that switches
 * protocols, which no request asks for, Node reports neither a response nor an error.
 */
export const sendRequest = (request: ClientRequest, body?: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.once('response', resolve)
    request.once('upgrade', (_reply, socket) => {
      socket.destroy()
      reject(new Error('The server switched protocols.'))
    })
    request.on('error', reject)
    // After a response, this changes nothing.
    request.once('close', () => reject(new Error('The connection closed without a reply.')))
    request.end(body)
  })
