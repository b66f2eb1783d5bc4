import type { Permission } from '#domain/accounts/permissions.ts'
import { useRouteLoaderData } from 'react-router'

/** What the frame's loader says about the signed-in user. */
export type Holder = { permissions: readonly Permission[] }

/**
 * Whether the signed-in user holds a permission, for what a page shows. The use cases check it
 * themselves.
 */
export function useCan(): (permission: Permission) => boolean {
  const { permissions } = useRouteLoaderData<Holder>('routes/admin/layout') ?? { permissions: [] }
  return (permission) => permissions.includes(permission)
}
