import { checkKey, type Storage } from '#server/integrations/storage/storage.ts'

/** A storage that forgets with its process; `files` shows what lies in it. */
export function memoryStorage(): Storage & { files: Map<string, Buffer> } {
  const files = new Map<string, Buffer>()
  return {
    files,
    async put(key, bytes) {
      checkKey(key)
      const pieces: Uint8Array[] = []
      for await (const piece of bytes) pieces.push(Uint8Array.from(piece))
      files.set(key, Buffer.concat(pieces))
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
