import { AppError } from '#domain/errors.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { settingChangesSchema } from '#domain/settings/setting-changes.ts'
import { addDrugSchema, describeListed, removeDrugSchema } from '#domain/settings/state-scheduled.ts'
import { countActivePharmacists } from '#server/accounts/pharmacist-license.ts'
import { needsRecentCode, withRecentCode } from '#server/accounts/recent-code.ts'
import { countScheduledProducts } from '#server/settings/count-scheduled-products.ts'
import { getSettings } from '#server/settings/get-settings.ts'
import { listSettingChanges } from '#server/settings/list-setting-changes.ts'
import { saveSettings } from '#server/settings/save-settings.ts'
import { addStateScheduled, removeStateScheduled } from '#server/settings/state-scheduled.ts'
import { useLocation } from 'react-router'
import { adminAction, adminLoader } from '../../../http/admin-loader.server.ts'
import { formAction, getText } from '../../../http/form-action.server.ts'
import { withNetworkFallback } from '../../../http/network-fallback.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import { AdminPage } from '../frame/AdminPage.tsx'
import type { Route } from './+types/shop-settings'
import { SettingsHistory } from './SettingsHistory.tsx'
import { ShopSettings } from './ShopSettings.tsx'
import { StateScheduled } from './StateScheduled.tsx'

const path = adminPaths.shopSettings

export const loader = adminLoader('settings.write', async (ctx, { request }: Route.LoaderArgs) => {
  const before = new URL(request.url).searchParams.get('before')
  const [{ stateScheduled, turnedDownAlerts: _ownPage, ...settings }, history, pharmacists] =
    await Promise.all([getSettings(ctx), listSettingChanges(ctx, { before }), countActivePharmacists(ctx)])
  return {
    settings,
    stateScheduled,
    pharmacists,
    history: { ...history, isPastFirstPage: before !== null },
    needsCode: needsRecentCode(ctx),
  }
})

export const action = adminAction('settings.write', async (ctx, args: Route.ActionArgs, form) => {
  const saved = (title: string) => redirectWithToast(args, path, { kind: 'success', title })
  const intent = getText(form, 'intent')
  if (intent === 'save')
    return formAction(
      form,
      settingChangesSchema,
      async ({ code, before, confirmedRetention, ...changes }) => {
        await saveSettings(await withRecentCode(ctx, code), { changes, before, confirmedRetention })
        return saved('Settings saved')
      },
    )
  if (intent === 'add-drug')
    return formAction(form, addDrugSchema, async ({ code, ...drug }) => {
      await addStateScheduled(await withRecentCode(ctx, code), drug)
      const products = await countScheduledProducts(ctx, drug.ingredient)
      return redirectWithToast(args, path, {
        kind: products === 0 ? 'info' : 'success',
        title: 'Added to the list',
        text: describeListed(drug.ingredient, products),
      })
    })
  if (intent !== 'remove-drug') throw new AppError('BAD_REQUEST')
  return formAction(form, removeDrugSchema, async ({ code, ...drug }) => {
    await removeStateScheduled(await withRecentCode(ctx, code), drug)
    return saved('Removed from the list')
  })
})

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  withNetworkFallback(serverAction, request)

/** The rules that are the shop's choice, and who changed them. */
export default function ShopSettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { settings, stateScheduled, pharmacists, history, needsCode } = loaderData
  const { key } = useLocation()
  const failure = actionData ?? null
  return (
    <AdminPage title="Shop settings" back={{ to: adminPaths.settings, label: 'Settings' }}>
      {/* Each response remounts the forms, with the values as they are now. */}
      <div key={key} className="max-w-4xl space-y-8">
        <ShopSettings
          settings={settings}
          pharmacists={pharmacists}
          needsCode={needsCode}
          failure={failure && !failure.intent.endsWith('-drug') ? failure : null}
        />
        <StateScheduled
          drugs={stateScheduled}
          needsCode={needsCode}
          failure={failure?.intent.endsWith('-drug') ? failure : null}
        />
        <SettingsHistory {...history} />
      </div>
    </AdminPage>
  )
}
