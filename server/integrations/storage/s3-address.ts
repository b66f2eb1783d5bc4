/** A bucket of Amazon S3, or of a server that speaks its protocol. */
export type S3Address = {
  bucket: string
  /** Null for Amazon S3 itself. */
  endpoint: string | null
  region: string
  /** Empty, or a folder that ends in a slash. */
  prefix: string
  /** Whether the bucket is in the path (`host/bucket`) instead of the host name (`bucket.host`). */
  pathStyle: boolean
}

/** By the names of the SDK. */
export type S3Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string }

const parameters = new Set(['endpoint', 'region', 'prefix', 'pathStyle'])
const bucketPattern = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/
const regionPattern = /^[a-z\d-]{1,40}$/
const prefixPattern = /^[\w.-]+(\/[\w.-]+)*\/?$/

/**
 * Reads `s3://bucket?endpoint=…&region=…&prefix=…&pathStyle=on`. Only the bucket is required.
 * Throws an error whose message says what is wrong, without the text: someone may have put a secret
 * into it.
 */
export function parseS3Address(text: string): S3Address {
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') {
    throw new Error(
      'must not contain credentials; they belong in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    )
  }
  if (
    !bucketPattern.test(url.hostname) ||
    url.port !== '' ||
    url.hash !== '' ||
    !/^\/?$/.test(url.pathname)
  ) {
    throw new Error('must be s3://bucket, with a folder of the bucket as ?prefix=')
  }
  for (const name of url.searchParams.keys()) {
    if (!parameters.has(name))
      throw new Error('can have endpoint, region, prefix and pathStyle, and nothing else')
    if (url.searchParams.getAll(name).length > 1) throw new Error(`has ${name} twice`)
  }
  const endpoint = parseEndpoint(url.searchParams.get('endpoint'))
  const region = url.searchParams.get('region') ?? 'us-east-1'
  if (!regionPattern.test(region)) throw new Error('has an invalid region')
  const prefix = url.searchParams.get('prefix') ?? ''
  if (prefix !== '' && (!prefixPattern.test(prefix) || /(^|\/)\.\.?(\/|$)/.test(prefix))) {
    throw new Error('has a prefix with characters other than letters, digits, "_", ".", "-" and "/"')
  }
  // Most self-hosted servers have no host name per bucket.
  const pathStyle = url.searchParams.get('pathStyle') ?? (endpoint === null ? 'off' : 'on')
  if (pathStyle !== 'on' && pathStyle !== 'off') throw new Error('needs pathStyle=on or pathStyle=off')
  return {
    bucket: url.hostname,
    endpoint,
    region,
    prefix: prefix === '' ? '' : `${prefix.replace(/\/$/, '')}/`,
    pathStyle: pathStyle === 'on',
  }
}

function parseEndpoint(text: string | null): string | null {
  if (text === null) return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new Error('needs an endpoint that is an origin, such as https://s3.example.com')
  }
  return url.origin
}
