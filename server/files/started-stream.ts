/**
 * Pieces as a body that is read from as it is sent; it must be read or cancelled. The first piece is read before anything is answered: a
 * file that does not open is an error and no torn reply.
 */
export async function begunStream(pieces: AsyncIterable<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const rest = pieces[Symbol.asyncIterator]()
  let first: IteratorResult<Uint8Array, unknown> | null = await rest.next()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = first ?? (await rest.next())
        first = null
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await rest.return?.()
      },
    },
    { highWaterMark: 1 },
  )
}
