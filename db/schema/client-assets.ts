/** A file of a release's build for the browser. */
export type ClientAssetsTable = {
  /** Contains a hash of the content, such as `root-Cq3yY1Ab.js`. */
  name: string
  gzipped: Buffer
  /** The last day on which a release with this file ran. */
  usedAt: Date
}
