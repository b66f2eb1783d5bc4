import S3rver from '@20minutes/s3rver'
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { newId } from '#domain/ids.ts'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const objectSuffix = '._S3rver_object'

/** A bucket on an S3 server. */
type TestBucket = {
  /** A value of STORAGE. */
  address: string
  credentials: { accessKeyId: string; secretAccessKey: string }
  /** The names of all stored objects. */
  list: () => Promise<string[]>
  close: () => Promise<void>
}

/**
 * Opens an empty bucket: on s3rver, or on a server that runs, when TEST_S3_URL names one as
 * `http://ACCESS_KEY:SECRET_KEY@127.0.0.1:PORT`.
 */
export function startS3(directory: string): Promise<TestBucket> {
  const url = process.env['TEST_S3_URL']
  return url ? createBucket(new URL(url)) : startS3rver(directory)
}

const toAddress = (bucket: string, endpoint: string): string =>
  `s3://${bucket}?endpoint=${endpoint}&prefix=shop`

/**
 * Starts s3rver: another project's S3 server, which verifies signatures and MD5 sums. It has no
 * TLS, no checksums in trailers, no versions and no policies.
 */
async function startS3rver(directory: string): Promise<TestBucket> {
  const bucket = 'meridian-files'
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  })
  const { port } = await server.run()
  return {
    address: toAddress(bucket, `http://127.0.0.1:${port}`),
    // The only ones that s3rver knows.
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    list: async () =>
      readdirSync(join(directory, bucket), { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith(objectSuffix),
      ),
    close: () => server.close(),
  }
}

/** Creates a bucket on a server that runs. Closing deletes it with all objects. */
async function createBucket({ origin: endpoint, username, password }: URL): Promise<TestBucket> {
  const credentials = {
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
  }
  const Bucket = `meridian-test-${newId()}`
  const client = new S3Client({ endpoint, credentials, region: 'us-east-1', forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket }))
  const list = async (): Promise<string[]> => {
    const names: string[] = []
    for await (const { Contents: objects = [] } of paginateListObjectsV2({ client }, { Bucket }))
      names.push(...objects.flatMap(({ Key: key }) => key ?? []))
    return names
  }
  return {
    address: toAddress(Bucket, endpoint),
    credentials,
    list,
    close: async () => {
      for (const Key of await list()) await client.send(new DeleteObjectCommand({ Bucket, Key }))
      await client.send(new DeleteBucketCommand({ Bucket }))
      client.destroy()
    },
  }
}
