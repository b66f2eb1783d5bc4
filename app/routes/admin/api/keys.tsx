import { adminPaths } from '#domain/admin-paths.ts'
import { keyRowSchema, newKeySchema } from '#domain/api-keys/key-input.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { needsRecentCode, withRecentCode } from '#server/accounts/recent-code.ts'
import { getSessionRules } from '#server/accounts/session-rules.ts'
import { listKeys } from '#server/api-keys/list-keys.ts'
import { createKey, revokeKey } from '#server/api-keys/save-key.ts'
import { useLocation } from 'react-router'
import { adminAction, adminLoader } from '../../../http/admin-loader.server.ts'
import { formAction, getText } from '../../../http/form-action.server.ts'
import { withNetworkFallback } from '../../../http/network-fallback.ts'
import { requestContext } from '../../../http/request-context.server.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import { AdminPage } from '../frame/AdminPage.tsx'
import type { Route } from './+types/keys'
import { ApiTabs } from './ApiTabs.tsx'
import { KeyForm } from './KeyForm.tsx'
import { KeyList } from './KeyList.tsx'
import { NewSecret } from './NewSecret.tsx'

export const loader = adminLoader('settings.write', async (ctx, { context }: Route.LoaderArgs) => ({
  keys: await listKeys(ctx, getSessionRules(context.get(requestContext).env)),
  formId: newId(),
  needsCode: needsRecentCode(ctx),
}))

export const action = adminAction('settings.write', async (ctx, args: Route.ActionArgs, form) => {
  const intent = getText(form, 'intent')
  if (intent === 'create')
    return formAction(
      form,
      newKeySchema,
      async ({ code, ...input }) => {
        const key = await createKey(await withRecentCode(ctx, code), input)
        return { created: { name: input.name, key } }
      },
      ctx,
    )
  if (intent !== 'revoke') throw new AppError('BAD_REQUEST')
  return formAction(form, keyRowSchema, async ({ id }) => {
    const isRevoked = await revokeKey(ctx, id)
    return redirectWithToast(args, adminPaths.apiKeys, {
      kind: isRevoked ? 'success' : 'error',
      title: isRevoked ? 'API key revoked' : 'This API key was already revoked',
    })
  })
})

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  withNetworkFallback(serverAction, request)

/** The keys of machines. */
export default function ApiKeys({ loaderData, actionData }: Route.ComponentProps) {
  const { keys, formId, needsCode } = loaderData
  const { key } = useLocation()
  const created = actionData && 'created' in actionData ? actionData.created : null
  const failure = actionData && !('created' in actionData) ? actionData : null
  // The forms of the rows send an id, too: that of their row.
  const sentId = failure?.intent === 'create' ? failure.values['id'] : undefined
  return (
    <AdminPage title="API keys">
      <ApiTabs current={adminPaths.apiKeys} />
      <p className="mb-4 max-w-3xl text-muted">
        A program sends its key with each call instead of signing in. A key can do only what you choose here,
        and never more than its creator. No key can read accounts or prescriptions, or list orders.
      </p>
      {/* Each response remounts the forms. */}
      <div key={key} className="space-y-8">
        {created ? (
          <NewSecret title="API key created" label="API key" secret={created.key}>
            Copy the key “{created.name}” now. The shop does not show it again.
          </NewSecret>
        ) : null}
        <section className="space-y-3">
          <h2 className="font-semibold">Keys</h2>
          <KeyList keys={keys} />
        </section>
        <section className="space-y-3">
          <h2 className="font-semibold">Create a key</h2>
          {/* A failed form keeps its id: the key may exist. */}
          <KeyForm id={sentId ?? formId} needsCode={needsCode} failure={failure} />
        </section>
      </div>
    </AdminPage>
  )
}
