/** An asset: a script, style sheet, picture or font of the client build. */
export type ClientAssetsTable = {
  /** Contains a hash of the content, such as `root-Cq3yY1Ab.js`. */
  name: string
  gzipped: Buffer
  /** The last day on which a release with this asset ran. */
  usedAt: Date
}
