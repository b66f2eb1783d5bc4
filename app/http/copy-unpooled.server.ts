/**
 * A copy in memory of its own, for bytes that are kept. Small buffers are slices of a pool that
 * Node shares among all of them (64 KiB since Node 24), and each keeps the whole pool.
 */
export function copyUnpooled(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}
