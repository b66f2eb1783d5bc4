/**
 * `refused`: the address may not be fetched, or what is there is not accepted. `unreachable`: it
 * may work later.
 */
export type FetchedFile =
  | { outcome: 'fetched'; bytes: Uint8Array }
  | { outcome: 'refused' | 'unreachable'; reason: string }

/** The port to files of other sites. */
export type PublicFiles = {
  /** Fetches a file of the public internet by https. Never throws for what another site does. */
  fetch: (url: string, limits: { maxBytes: number; timeoutMs: number }) => Promise<FetchedFile>
}

/** For processes that fetch nothing, such as commands. */
export const noPublicFiles: PublicFiles = {
  fetch: async () => ({ outcome: 'unreachable', reason: 'This process fetches no files.' }),
}
