declare module '@20minutes/s3rver' {
  import type { AddressInfo } from 'node:net'

  /** The parts that `tests/mocks/s3.ts` uses. */
  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      directory: string
      configureBuckets: { name: string }[]
    })
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
}
