import type { MessageSender, WaitingFor } from '#domain/messages/messages.ts'

/** The messages about one order or prescription. */
export type MessageThreadsTable = {
  /** The id of the order or prescription. */
  subjectId: string
  /** The customer. */
  userId: string
  orderId: string | null
  prescriptionId: string | null
  waitingFor: WaitingFor
  /** When the last message was written. */
  updatedAt: Date
}

export type MessagesTable = {
  id: string
  subjectId: string
  sender: MessageSender
  authorId: string
  /** Sealed for the customer. */
  sealedText: string
  /** Names one submission of a form. */
  requestKey: string
  createdAt: Date
}
