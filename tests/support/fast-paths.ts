import { setFastPaths } from '#domain/fast-paths.ts'

/** `FAST_PATHS=off npm test` runs the suite only on the public interfaces of the libraries. */
export const wantsFastPaths = process.env['FAST_PATHS'] !== 'off'

setFastPaths(wantsFastPaths)
