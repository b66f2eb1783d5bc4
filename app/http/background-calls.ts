import { paths } from '#domain/paths.ts'

/** What open pages of the back office call by themselves, over and over. */
const procedures: ReadonlySet<string> = new Set(['cases.viewers', 'imports.progress'])

/**
 * Whether a page makes this tRPC call by itself. Of a batch, all procedures must be such ones.
 */
export const isBackgroundCall = (path: string): boolean =>
  path.startsWith(`${paths.trpc}/`) &&
  path
    .slice(paths.trpc.length + 1)
    .split(',')
    .every((name) => procedures.has(name))
