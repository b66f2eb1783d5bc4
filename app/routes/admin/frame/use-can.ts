import type { Permission } from '#domain/accounts/permissions.ts'
import { useRouteLoaderData } from 'react-router'
import type { loader } from '../layout.tsx'

/**
 * Whether the signed-in user holds a permission, for what a page shows. The use cases check it
 * themselves.
 */
export function useCan(): (permission: Permission) => boolean {
  const { permissions = [] } = useRouteLoaderData<typeof loader>('routes/admin/layout') ?? {}
  return (permission) => permissions.includes(permission)
}
