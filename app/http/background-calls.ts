import { paths } from '#domain/paths.ts'

/** What open pages of the back office poll. */
const procedures: ReadonlySet<string> = new Set(['cases.viewers', 'imports.progress'])

/** Whether a page polls with this tRPC call. A batch counts only when all of its calls do. */
export const isBackgroundCall = (path: string): boolean =>
  path.startsWith(`${paths.trpc}/`) &&
  path
    .slice(paths.trpc.length + 1)
    .split(',')
    .every((name) => procedures.has(name))
