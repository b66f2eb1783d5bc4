import { checkKey, type Storage } from '#server/integrations/storage/storage.ts'

/** A storage in memory. `files` exposes its content. */
export function memoryStorage(): Storage & { files: Map<string, Buffer> } {
  const files = new Map<string, Buffer>()
  return {
    files,
    async put(key, bytes) {
      checkKey(key)
      const chunks: Uint8Array[] = []
      for await (const chunk of bytes) chunks.push(Uint8Array.from(chunk))
      files.set(key, Buffer.concat(chunks))
    },
    async get(key) {
      const bytes = files.get(key)
      return bytes
        ? (async function* () {
            yield bytes
          })()
        : null
    },
    async delete(key) {
      files.delete(key)
    },
    deleteLeftovers: async () => {},
  }
}
