import { adminPaths } from '#domain/admin-paths.ts'
import { actionChoices, auditQuerySchema } from '#domain/audit/audit-query.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import { withQuery } from '#domain/build-path.ts'
import { utcDay } from '#domain/days.ts'
import { AppError, httpStatus } from '#domain/errors.ts'
import { parseInput } from '#domain/parse-input.ts'
import { listAuditLog, listStaff, type AuditLogPage } from '#server/accounts/list-audit-log.ts'
import { data } from 'react-router'
import { adminLoader, gridParams } from '../../../http/admin-loader.server.ts'
import { Link } from '../../../render/Link.tsx'
import { LinkButton } from '../../../ui/Button.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import { AuditEntries } from './AuditEntries.tsx'
import { AuditFilters } from './AuditFilters.tsx'
import type { Route } from './+types/audit-log'

const noErrors: Readonly<Record<string, string>> = {}

export const loader = adminLoader('audit.read', async (ctx, args: Route.LoaderArgs) => {
  const params = gridParams(args)
  const form = { params, staff: await listStaff(ctx), choices: actionChoices, shop: shopSubjectId }
  try {
    const page: AuditLogPage | null = await listAuditLog(
      ctx,
      parseInput(auditQuerySchema(utcDay(ctx.now)), params),
    )
    return data({ ...form, page, errors: noErrors })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID') throw error
    return data({ ...form, page: null, errors: error.fields }, { status: httpStatus(error.code) })
  }
})

/**
 * Who viewed or changed whose data. The log names no customers: one is found under Settings, and
 * their page links to their part of the log.
 */
export default function AuditLog({ loaderData }: Route.ComponentProps) {
  const { params, page, shop } = loaderData
  return (
    <AdminPage
      title="Audit log"
      actions={
        page?.accountName ? (
          <LinkButton to={adminPaths.user(params['about'] ?? '')}>Open account</LinkButton>
        ) : null
      }
    >
      <p className="mb-4 max-w-3xl text-muted">
        Who viewed or changed whose data, the newest first. For the log of one customer, find them in{' '}
        <Link to={adminPaths.settings} className="text-link">
          Settings
        </Link>{' '}
        and open their sign-ins. Each time you open this page, we log it with your name.
      </p>
      <AuditFilters {...loaderData} />
      {page && params['who'] && !params['about'] ? (
        <p className="mb-3 text-muted">
          What they did in their own account, such as signing in, is in{' '}
          <Link to={withQuery(adminPaths.audit, { about: params['who'] })} className="text-link">
            the log of that account
          </Link>
          .
        </p>
      ) : null}
      {page ? <AuditEntries page={page} params={params} shop={shop} /> : null}
    </AdminPage>
  )
}
