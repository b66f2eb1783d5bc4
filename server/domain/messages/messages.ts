/**
 * Messages between a customer and the pharmacy, as pages show them. Without zod, because pages
 * bundle this file.
 */

export type MessageSender = 'customer' | 'pharmacy'

/** Who writes next in a thread. */
export type WaitingFor = MessageSender | 'none'

/** A message about an order or prescription. The time is ISO 8601. */
export type Message = { id: string; from: MessageSender; text: string; at: string }

/** All messages about one order or prescription, the oldest first. */
export type Thread = { messages: Message[]; waitingFor: WaitingFor }

export const emptyThread: Thread = { messages: [], waitingFor: 'none' }

/** Before every message's id. */
const noMessageId = '0'

/** The id of the last message that a page shows, which its forms post; '0' without one. */
export const lastMessageIdOf = ({ messages }: Pick<Thread, 'messages'> = emptyThread): string =>
  messages.at(-1)?.id ?? noMessageId

/** Why a pharmacist's reply is refused when they have not seen the customer's newest message. */
export const unseenMessage = 'The customer wrote again. Read the new message first.'

/** Why a pharmacist can't answer about their own order or prescription. */
export const ownThreadMessage = 'This is your own conversation. Ask another pharmacist to answer.'

export const messageBounds = {
  characters: 2000,
  /** Longer conversations belong on the phone: each view of a thread decrypts all of it. */
  perThread: 200,
} as const

/** A thread that the pharmacy should answer, as the back office lists it. */
export type WaitingThread = {
  /** Of the order or prescription. */
  id: string
  kind: 'order' | 'prescription'
  customerName: string
  updatedAt: string
}
