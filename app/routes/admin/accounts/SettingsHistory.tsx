import { adminPaths } from '#domain/admin-paths.ts'
import type { SettingChange } from '#server/settings/list-setting-changes.ts'
import { LinkButton } from '../../../ui/Button.tsx'
import { DateTime } from '../frame/DateTime.tsx'

type SettingsHistoryProps = {
  changes: readonly SettingChange[]
  next: string | null
  isPastFirstPage: boolean
}

/** Who changed what, from what to what, and when. Newest first. */
export const SettingsHistory = ({ changes, next, isPastFirstPage }: SettingsHistoryProps) => (
  <section aria-labelledby="settings-history">
    <h2 id="settings-history" className="mb-3">
      History
    </h2>
    {changes.length === 0 ? (
      <p className="card p-4 text-muted">No setting has been changed yet.</p>
    ) : (
      <div className="data-grid">
        <table aria-label="Settings history">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Setting</th>
              <th scope="col">Change</th>
              <th scope="col">By</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ id, at, label, change, by }) => (
              <tr key={id}>
                <td className="whitespace-nowrap">
                  <DateTime at={at} />
                </td>
                <td className="min-w-44">{label}</td>
                <td className="min-w-44">{change}</td>
                <td className="min-w-28">{by}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
    {isPastFirstPage || next ? (
      <nav aria-label="Pages" className="mt-2 flex gap-2">
        {isPastFirstPage ? <LinkButton to={adminPaths.shopSettings}>Newest changes</LinkButton> : null}
        {next ? <LinkButton to={adminPaths.earlierSettings(next)}>Earlier changes</LinkButton> : null}
      </nav>
    ) : null}
  </section>
)
