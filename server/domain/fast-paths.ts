let areEnabled = true

/**
 * Whether the code paths that lean on internals of React Router, Kysely, pg and Node are used.
 * Without them the shop does the same work through public interfaces alone, only slower. Each such
 * path has a contract test (tests/http/fast-paths.test.ts, tests/db/fast-paths.test.ts).
 */
export const fastPathsEnabled = (): boolean => areEnabled

/** Set once at start from `FAST_PATHS`. */
export function setFastPaths(enabled: boolean): void {
  areEnabled = enabled
}
