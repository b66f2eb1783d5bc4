export const text = (bytes: Uint8Array): string => String.fromCharCode(...bytes)

export function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}

/** Collects a given number of bytes across chunks. */
export function byteCollector() {
  let all = new Uint8Array(0)
  let filled = 0
  return {
    start(size: number): void {
      all = new Uint8Array(size)
      filled = 0
    },
    /** Takes what is missing from `offset` on and returns the offset after it. */
    take(bytes: Uint8Array, offset: number): number {
      const taken = Math.min(all.length - filled, bytes.length - offset)
      all.set(bytes.subarray(offset, offset + taken), filled)
      filled += taken
      return offset + taken
    },
    /** All bytes, or null while some are missing. */
    result: (): Uint8Array | null => (filled === all.length ? all : null),
  }
}
