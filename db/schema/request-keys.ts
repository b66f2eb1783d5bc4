/** The key of a request that created something. */
export type RequestKeysTable = {
  /** The id of what the request created. */
  id: string
  /** The caller: the id of a user or of an API key. */
  scope: string
  key: string
  requestHash: string
  createdAt: Date
}
