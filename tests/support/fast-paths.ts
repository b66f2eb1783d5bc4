import { setFastPaths } from '#domain/fast-paths.ts'

/** `FAST_PATHS=off npm test` runs the suite on public interfaces of the libraries alone. */
export const wantsFastPaths = process.env['FAST_PATHS'] !== 'off'

setFastPaths(wantsFastPaths)
