import S3rver from '@20minutes/s3rver'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const bucket = 'meridian-files'
const objectSuffix = '._S3rver_object'

/**
 * Starts s3rver: another project's S3 server, which verifies signatures and MD5 sums. It has no
 * TLS, no checksums in trailers, no versions and no policies.
 */
export async function startS3(directory: string) {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  })
  const { port } = await server.run()
  return {
    /** A value of STORAGE. */
    address: `s3://${bucket}?endpoint=http://127.0.0.1:${port}&prefix=shop`,
    /** The only ones that s3rver knows. */
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    /** The names of all stored objects. */
    list: (): string[] =>
      readdirSync(join(directory, bucket), { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith(objectSuffix),
      ),
    close: () => server.close(),
  }
}
